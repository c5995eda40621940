// The server's interface, as functions. Nothing else in the page knows an address; `/v1/openapi.json` describes them.

/** Why the server did not do something, in its own words. `code` is a code of `edit help errors`. */
export class Problem extends Error {
  constructor({ code, message, hint, revision }, status) {
    super(message);
    Object.assign(this, { code, hint, revision, status });
  }
}

/** The server cannot be reached, or took too long. */
export class Unreachable extends Error {}

/** This tab's word for its previews, so that two tabs do not outdo each other. */
const tab = `page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;

/** Most milliseconds until an answer begins. Renders of large photos on small computers take their time. */
const PATIENCE = 60_000;
/** The same for a whole picture in a slow format. */
const EXPORT_PATIENCE = 10 * 60_000;
/** The same for an answer that needs folders to be searched. */
const SEARCH_PATIENCE = 60 * 60_000;

let heard = () => {};

/** Calls `listener` with true when the server answers and with false when it cannot be reached. */
export function onReach(listener) { heard = listener; }

/** Seconds after which a server that has too much to do is asked again, and how often. */
const BUSY = { pause: 1, attempts: 4 };

/**
 * Asks the server.
 *
 * @param {string} method GET, POST, PATCH or DELETE.
 * @param {string} path With its query.
 * @param {object} [body] Sent as JSON.
 * @param {AbortSignal} [signal] Ends the request.
 * @param {(answer: Response) => Promise} [read] Takes what is wanted from an answer with a status below 300.
 * @param {number} [patience] Most milliseconds until an answer begins.
 * @returns {Promise} What `read` gives: the answer's JSON without it.
 * @throws {Problem|Unreachable|DOMException} An AbortError when `signal` ended it.
 */
async function ask(method, path, body, signal, read = answer => answer.json(), patience = PATIENCE) {
  const late = AbortSignal.timeout(patience);
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  // A request that is sent again after the connection broke must not be done twice.
  if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID?.() ?? `${tab}-${performance.now()}`;
  const request = {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body),
    signal: signal ? AbortSignal.any([signal, late]) : late,
  };
  try {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(path, request);
      heard(answer.status !== 401);
      if (answer.ok) return await read(answer);
      const text = await answer.text();
      if (answer.status !== 503 || method !== "GET" || attempt >= BUSY.attempts) throw problem(text, answer.status);
      await new Promise(resolve => setTimeout(resolve, BUSY.pause * 1000));
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (signal?.aborted) throw new DOMException("Not needed any more.", "AbortError");
    // The connection may also break in the middle of an answer.
    heard(false);
    throw new Unreachable(late.aborted ? "The server takes too long to answer." : "The server cannot be reached.");
  }
}

/** What an answer says that something is not done. */
function problem(text, status) {
  let facts = { code: "unknown", message: `The server answered with ${status}.` };
  // Something between may have given a page of its own.
  try { facts = JSON.parse(text).error ?? facts; } catch { /* It is no JSON. */ }
  if (facts.code === "no-such-photo") {
    // People know no identifiers.
    facts.message = "This photo is not in the folder any more.";
    facts.hint = "It was moved, renamed or deleted meanwhile.";
  }
  return new Problem({ ...facts, message: named(facts.message), hint: named(facts.hint) }, status);
}

/** The folders that are served, as texts in front of the names of photos. */
let prefixes = [];

/** Leaves the folders out of what is said of photos: people know them by their names. */
export function hidePaths(folders) { prefixes = folders.map(({ path }) => (path.endsWith("/") ? path : `${path}/`)); }

const named = text => prefixes.reduce((rest, prefix) => rest?.replaceAll(prefix, ""), text);

const get = (path, signal) => ask("GET", path, undefined, signal);
const post = (path, body, signal) => ask("POST", path, body, signal);
const remove = path => ask("DELETE", path);
const photo = id => `/v1/photos/${encodeURIComponent(id)}`;

/** Facts as the query of an address; those that are undefined or empty are left out. */
function query(facts) {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

export const service = () => get("/v1");
/** The address of the events after one of them; those before are not told. */
export const eventsAddress = after => `/v1/events${query({ after })}`;

export const adjustments = async () => (await get("/v1/adjustments")).adjustments;
export const filters = async () => (await get("/v1/filters")).filters;
export const saveFilter = facts => post("/v1/filters", facts);
export const removeFilter = name => remove(`/v1/filters/${encodeURIComponent(name)}`);
export const albums = async () => (await get("/v1/albums")).albums;
export const makeAlbum = (title, photos) => post("/v1/albums", { title, photos });
export const changeAlbum = (id, change) => post(`/v1/albums/${encodeURIComponent(id)}/photos`, change);

/** A page of a list. `search` has the parameters of `GET /v1/photos`. */
export const photos = (search, offset, limit, signal) => get(`/v1/photos${query({ ...search, offset, limit })}`, signal);

export const show = (id, signal) => get(photo(id), signal);
export const history = id => get(`${photo(id)}/history`);
export const versions = async id => (await get(`${photo(id)}/versions`)).versions;

/** The address of a thumbnail. With a revision the browser keeps it. */
export const thumbnailAddress = (id, facts) => `${photo(id)}/thumbnail${query(facts)}`;

/** A thumbnail's bytes. */
export const thumbnail = (id, facts, signal) =>
  ask("GET", thumbnailAddress(id, facts), undefined, signal, answer => answer.blob());

/** The address of a file's bytes: "original", "render", "video" or "original-video". With a revision the browser keeps them. */
export const fileAddress = (id, kind, revision) => `${photo(id)}/file${query({ kind, v: revision })}`;

/**
 * Renders an edit that is not committed.
 *
 * @param {string} id The photo.
 * @param {object} facts `adjustments`, `fit` in pixels, and perhaps `crop` as shares and `histogram`.
 * @param {string} role Previews of another role are not outdone by this one.
 * @returns {Promise<{blob: Blob, size: object, whole: object, histogram: ?Uint8Array, clipped: object}>} `size` is that
 *   of the picture, `whole` that of the full-size render.
 */
export const preview = (id, facts, role, signal) =>
  ask("POST", `${photo(id)}/preview`, { ...facts, session: `${tab}-${role}` }, signal, picture);

/** A preview from its answer. */
async function picture(answer) {
  const size = name => {
    const [width, height] = (answer.headers.get(name) ?? "0x0").split("x").map(Number);
    return { width, height };
  };
  const bins = answer.headers.get("Safelight-Histogram");
  const clipped = Object.fromEntries(
    (answer.headers.get("Safelight-Clipped") ?? "").split(",").filter(Boolean)
      .map(part => part.split("=")).map(([name, share]) => [name.trim(), Number(share)]));
  return {
    blob: await answer.blob(), size: size("Safelight-Size"), whole: size("Safelight-Photo-Size"),
    histogram: bins ? Uint8Array.from(atob(bins), letter => letter.charCodeAt(0)) : null, clipped,
  };
}

/**
 * Changes one photo.
 *
 * @param {string} id The photo.
 * @param {string} command adjust, auto, apply, undo, redo, revert or history.
 * @param {object} facts The command's own, with `revision` and perhaps `dryRun`.
 */
export const change = (id, command, facts) => post(`${photo(id)}/${command}`, facts);
/** What operations make of an edit that need not be the photo's: `adjustments`, `values` and `notes`. Nothing is written. */
export const operate = (id, adjustments, operations) => post(`${photo(id)}/edit`, { adjustments, operations });

/** What can be asked of an exported picture: `parameters`, `formats` of this machine, and the `presets`. */
export const outputs = () => get("/v1/outputs");

/**
 * Renders a photo as a file of its own.
 *
 * @returns {Promise<{blob: Blob, name: string, warnings: string[]}>}
 */
export const exported = (id, facts) => ask("POST", `${photo(id)}/export`, facts, undefined, async answer => ({
  blob: await answer.blob(),
  name: decodeURIComponent((answer.headers.get("Content-Disposition") ?? "").split("''")[1] ?? id),
  warnings: JSON.parse(decodeURIComponent(answer.headers.get("Safelight-Warnings") ?? "[]")),
}), EXPORT_PATIENCE);

export const saveVersion = (id, facts) => post(`${photo(id)}/versions`, facts);
export const useVersion = (id, name, facts) => post(`${photo(id)}/versions/${encodeURIComponent(name)}/use`, facts);
export const removeVersion = (id, name) => remove(`${photo(id)}/versions/${encodeURIComponent(name)}`);

export const jobs = () => get("/v1/jobs");
export const startJob = facts => post("/v1/jobs", facts);
export const job = (id, after = 0) => get(`/v1/jobs/${encodeURIComponent(id)}${query({ after })}`);
export const cancelJob = id => remove(`/v1/jobs/${encodeURIComponent(id)}`);

export const mark = (photos, marks) => post("/v1/marks", { photos, ...marks });
export const trash = photos => post("/v1/trash", { photos });
export const restore = photos => post("/v1/trash/restore", { photos });

/** The edits of photos that were deleted outside. `name` is the path below the served folder. */
export const gone = async () => goneOf(await ask("GET", "/v1/gone", undefined, undefined, undefined, SEARCH_PATIENCE));
/** Puts such edits away, by their `photo`; gives what became of each, with the `reason` where it stayed. */
export const putGoneAway = async photos =>
  goneOf(await ask("POST", "/v1/gone", { photos }, undefined, undefined, SEARCH_PATIENCE));

const goneOf = ({ photos }) => photos.map(each =>
  ({ ...each, name: named(each.photo), reason: named(each.reason ?? each.error?.message), warnings: each.warnings?.map(named) }));
