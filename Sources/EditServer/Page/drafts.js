// Changes that are not saved yet, kept in the tab's storage, so that they survive a reload and a restart of the server.

const PREFIX = "safelight-draft-";

/** The changes that are kept for a photo, or null. */
export function kept(id) { return JSON.parse(sessionStorage.getItem(PREFIX + id)); }

/** Keeps changes: the photo's `name` and `revision`, the edit's `entries`, and the `base` that they were made to. */
export function keep(id, draft) {
  try {
    sessionStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // A full storage costs only the safety net.
  }
}

export function drop(id) { sessionStorage.removeItem(PREFIX + id); }

/** The photos whose changes may still be saved, without those that the server refused. */
export function waiting() {
  return Object.keys(sessionStorage).filter(name => name.startsWith(PREFIX)).map(name => name.slice(PREFIX.length))
    .filter(id => !kept(id).isRefused);
}

let isSaving = false;

/**
 * Saves what is kept of photos that were left when they could not be saved, one after the other. Does nothing while it runs.
 *
 * @param {(id: string, take: () => object | null) => Promise} save Saves what `take` gives when the photo's turn has come.
 * @param {(name: string) => void} saved Called with the name of each photo that is saved now.
 */
export async function saveAll(ids, save, saved) {
  if (isSaving) return;
  isSaving = true;
  try {
    for (const id of ids) await saveOne(id, save, saved);
  } finally {
    isSaving = false;
  }
}

async function saveOne(id, save, saved) {
  let draft = null;
  const isKept = () => draft !== null && JSON.stringify(kept(id)) === JSON.stringify(draft);
  try {
    await save(id, () => draft = kept(id));
    if (draft === null) return;
    if (isKept()) drop(id);
    saved(draft.name);
  } catch (error) {
    // What the server refuses is offered when the photo is opened again.
    if (error.status && error.status < 500 && isKept()) keep(id, { ...draft, isRefused: true });
  }
}
