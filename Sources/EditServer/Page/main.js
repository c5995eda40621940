// Starts the page: asks the server who it is, makes the parts, and lets them know of each other.

import * as api from "./api.js";
import { Chosen } from "./chosen.js";
import { guarded, sayProblem } from "./dialogs.js";
import { find, iconButton, make, textButton } from "./dom.js";
import { Editing } from "./editing.js";
import { Events } from "./events.js";
import { Gone } from "./gone.js";
import { Grid } from "./grid.js";
import { Jobs } from "./jobs.js";
import { help, listen } from "./keys.js";
import { whenQuiet } from "./latest.js";
import { PhotoView } from "./photo.js";
import { Photos } from "./photos.js";
import { Search } from "./search.js";
import { Selection } from "./selection.js";
import { Table } from "./stack.js";

/** Milliseconds between attempts to reach a server that is not there yet. */
const AGAIN = 1000;

/** Milliseconds from list to list while photos are taken in: twice as many each time. */
const TAKING_IN = { first: 500, last: 30_000 };

/** Most milliseconds that the tools for one photo wait for the grid's first thumbnail. */
const TOOLS_AFTER = 400;

/** Milliseconds between attempts to save what could not be saved when its photo was left. */
const DRAFTS = 5000;

/** What is said to a browser without the cookie. */
const ADDRESS = "This page needs the address that “edit serve” printed: it has a token in it.";

start();

async function start() {
  let service;
  let adjustments;
  while (!service) {
    try {
      [service, adjustments] = await Promise.all([api.service(), api.adjustments()]);
    } catch (error) {
      const isBusy = error.status >= 500;
      if (error instanceof api.Problem && !isBusy) {
        away(error.status === 401 ? ADDRESS : error.message);
        return;
      }
      away(isBusy ? error.message : "The server cannot be reached. Trying again…");
      await new Promise(resolve => setTimeout(resolve, AGAIN));
    }
  }
  away("");
  api.hidePaths(service.folders);
  run(service, new Table(adjustments));
}

async function run(service, table) {
  const events = new Events();
  const selection = new Selection();
  const photos = new Photos(selection);
  const search = new Search(service);
  const grid = new Grid(photos, selection);
  const jobs = new Jobs(events);
  const editing = new Editing(table);
  editing.isReadOnly = service.readOnly;
  const chosen = new Chosen({ photos, selection, search, jobs, table, service, albums: api.albums });
  let view;
  let shownAt = -1;

  const loadAlbums = async () => {
    try {
      search.showSources(await api.albums(), service.folders);
    } catch {
      // Albums come with the next event, or when the server is back.
    }
  };

  // Which of the two views is seen is in the address, so that the browser's own back button works.
  const addressOf = id => `#photo=${encodeURIComponent(id)}`;
  const idInAddress = () => decodeURIComponent(/^#photo=(.+)$/.exec(location.hash)?.[1] ?? "");
  const saveDrafts = async () => editing.saveDrafts(idInAddress());
  let routes = 0;
  const route = async () => {
    routes += 1;
    const number = routes;
    const id = idInAddress();
    const { id: before } = editing;
    // Back and forward again while it was saved.
    if (before && before === id) return;
    // The browser's back button leaves a photo too. It stays while there is a question to answer.
    const isLeft = !before || await view.leave();
    if (number !== routes) return;
    if (!isLeft && editing.id === before) {
      history.pushState(null, "", addressOf(before));
      return;
    }
    const isPhoto = id !== "";
    find("photos").hidden = isPhoto;
    find("photo").hidden = !isPhoto;
    if (isPhoto) {
      shownAt = photos.place(id) ?? shownAt;
      if (shownAt >= 0) photos.look(shownAt, shownAt);
      await view.open(id, photos.at(photos.place(id) ?? -1));
      // Who goes on by the buttons for the next photo can press them again.
      const isInBar = find("view-bar").contains(document.activeElement);
      if (number === routes && !isInBar) find("stage").focus({ preventScroll: true });
    } else {
      view.close();
      document.title = "Safelight";
      if (photos.total > 0 && selection.focus !== undefined) grid.reveal(selection.focus);
      grid.focus();
    }
  };
  const open = async index => {
    const photo = photos.at(index) ?? await photos.load(index);
    if (!photo) return;
    selection.choose(index);
    shownAt = index;
    const hash = addressOf(photo.id);
    // Going from photo to photo leaves one step to go back.
    if (location.hash.startsWith("#photo=")) {
      view.close();
      history.replaceState(null, "", hash);
      await route();
    } else {
      location.hash = hash;
    }
  };
  const placeOfShown = () => photos.place(editing.id) ?? shownAt;
  const showNeighbors = () => {
    const at = placeOfShown();
    view?.showNeighbors(at > 0, at < photos.total - 1);
  };
  const step = async by => {
    const next = placeOfShown() + by;
    const number = routes;
    if (next < 0 || next >= photos.total || !await view.leave() || number !== routes) return;
    await open(next);
  };
  // The photo that is open was left before.
  const showGrid = () => {
    view.close();
    location.hash = "";
  };
  const leave = async () => {
    if (await view.leave()) showGrid();
  };
  // Esc ends what was begun before it goes back.
  const escape = async () => {
    if (editing.id && document.querySelector(".stage.picking")) view.pickGray(false);
    else if (!view.cancelCrop()) await leave();
  };

  const showList = () => photos.find(search.parameters);
  search.addEventListener("changed", () => {
    selection.reset();
    showList();
  });
  search.addEventListener("refused", () => {
    photos.empty();
    showNothing();
  });
  photos.addEventListener("failed", ({ detail }) => {
    if (detail.code === "invalid-predicate") search.refuse(detail);
    else if (detail instanceof api.Problem) sayProblem(detail);
  });
  for (const name of ["found", "changed"]) photos.addEventListener(name, () => {
    showNothing();
    showNeighbors();
  });
  grid.addEventListener("open", ({ detail }) => guarded(() => open(detail)));

  const reload = whenQuiet(150, () => photos.reload());
  const gridAgain = whenQuiet(500, () => grid.again());
  events.addEventListener("photo", ({ detail }) => {
    photos.update(detail.id, detail);
    guarded(() => editing.notice(detail));
    photos.renew(detail.id);
  });
  // While photos are taken in, new ones come between those that are seen all the time. The list is fetched anew less
  // and less often then, so that they can be looked at.
  let pause = TAKING_IN.first;
  let timer;
  const reloadSeldom = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      pause = Math.min(pause * 2, TAKING_IN.last);
      photos.reload();
    }, pause);
  };
  events.addEventListener("list", ({ detail }) => {
    if (detail.list === photos.list) return;
    if (service.indexing) reloadSeldom();
    else reload();
  });
  events.addEventListener("albums", loadAlbums);
  events.addEventListener("filters", () => view?.looks.load());
  events.addEventListener("indexing", ({ detail }) => showIndexing(detail));
  events.addEventListener("reset", async () => {
    reload();
    guarded(async () => showIndexing({ ended: !(await api.service()).indexing }));
    loadAlbums();
    if (editing.id) guarded(async () => editing.notice({ id: editing.id, revision: undefined }));
    view?.refresh();
    view?.looks.load();
  });
  events.addEventListener("refused", () => away(ADDRESS));
  events.addEventListener("reach", ({ detail }) => {
    away(detail ? "" : "The server cannot be reached. Trying again…" + (editing.isDirty ? " Your changes are kept." : ""));
    if (detail) {
      editing.forgetTrouble();
      saveDrafts();
      loadAlbums();
      view?.refresh();
      gridAgain();
      reload();
    }
  });

  function showNothing() {
    const host = find("nothing");
    host.hidden = photos.total > 0;
    find("grid").classList.toggle("empty", photos.total === 0);
    if (!host.hidden) {
      const empty = service.indexing ? "The photos are being read…" : "There are no photos here.";
      host.replaceChildren(make("p", {}, search.trouble ?? (search.isNarrow ? "No photo is like that." : empty)));
      if (search.isNarrow) host.append(textButton("Show all photos", () => search.clear()));
    }
  }

  function showIndexing({ done = 0, ended = false }) {
    const hasEnded = service.indexing && ended;
    service.indexing = !ended;
    const soFar = done > 0 ? `: ${done.toLocaleString("en")} so far` : "";
    find("summary").dataset.more = ended ? "" : `Reading new photos${soFar}…`;
    if (!hasEnded) return;
    clearTimeout(timer);
    timer = undefined;
    pause = TAKING_IN.first;
    showNothing();
    reload();
  }

  const size = find("cell-size");
  size.value = localStorage.getItem("safelight-cell") ?? (innerWidth < 600 ? 110 : 190);
  grid.resize(Number(size.value));
  size.addEventListener("input", () => {
    localStorage.setItem("safelight-cell", size.value);
    grid.resize(Number(size.value));
  });
  new Gone(search, service);
  find("chosen").append(iconButton("keyboard", "Keys", help, "?"));

  showIndexing({ ended: !service.indexing });
  events.start(service.event);
  const listed = guarded(showList);
  // The tools are a thousand elements: the first thumbnails come before them.
  if (!location.hash) await Promise.race([grid.begun, new Promise(resolve => setTimeout(resolve, TOOLS_AFTER))]);
  view = new PhotoView(table, editing);
  editing.addEventListener("state", showNeighbors);
  view.addEventListener("leave", () => guarded(leave));
  view.addEventListener("near", ({ detail }) => guarded(async () => {
    if (!await view.leave()) return;
    search.near(detail);
    showGrid();
  }));
  view.addEventListener("step", ({ detail }) => guarded(() => step(detail)));
  view.addEventListener("again", () => guarded(route));
  view.addEventListener("marked", ({ detail }) => photos.update(detail.id, { favorite: detail.favorite }));
  addEventListener("hashchange", () => guarded(route));
  // What is not saved is saved before the page goes, or is put away on a phone.
  const flush = () => { if (editing.isDirty && !editing.isHeld && !editing.isElsewhere) guarded(() => editing.save()); };
  addEventListener("beforeunload", event => {
    flush();
    if (editing.hasDrafts) event.preventDefault();
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden) flush(); });
  setInterval(saveDrafts, DRAFTS);
  saveDrafts();
  listen({ view, search, chosen, step, escape, run: guarded });
  loadAlbums();
  view.looks.load();
  await listed;
  await guarded(route);
}

/** Says that the server is not there, or nothing any more. */
function away(text) {
  const notice = find("away");
  notice.textContent = text;
  notice.hidden = !text;
}
