// Edits of photos that were deleted outside: which there are, and putting them away.

import * as api from "./api.js";
import { announce, ask, guarded, say, tell } from "./dialogs.js";
import { find, make, textButton } from "./dom.js";
import { count } from "./words.js";

/** Most names in a dialog. */
const MOST = 200;

/** A button beside the trash, for what the trash of the library has nothing of. */
export class Gone {
  #button = textButton("Edits of deleted photos…", () => guarded(() => this.#look()), { class: "quiet", action: "gone" });
  #isLooking = false;

  constructor(search, service) {
    const show = () => { this.#button.hidden = !search.isTrash || service.readOnly; };
    search.addEventListener("changed", show);
    show();
    find("chosen").append(this.#button);
  }

  async #look() {
    // The button can be pressed meanwhile: one that cannot would lose the focus.
    if (this.#isLooking) return;
    const label = this.#button.textContent;
    this.#isLooking = true;
    this.#button.textContent = "Looking through the folders…";
    announce(this.#button.textContent);
    let all;
    try {
      all = await api.gone();
    } finally {
      this.#isLooking = false;
      this.#button.textContent = label;
    }
    const going = all.filter(({ canPutAway }) => canPutAway);
    const staying = all.filter(({ canPutAway }) => !canPutAway);
    if (all.length === 0) say("There are no edits of deleted photos.");
    else if (going.length === 0) tell("These edits stay", [reasons(staying)]);
    else await this.#putAway(going, staying);
  }

  async #putAway(going, staying) {
    const [these, their] = going.length === 1 ? ["this photo", "its"] : ["these photos", "their"];
    const files = going.reduce((sum, each) => sum + each.files.length, 0);
    const content = [
      make("p", {}, `No file in the folders has the content of ${these}:`), list(going.map(({ name }) => name)),
      make("p", {}, `“Put away” moves ${their} ${count(files, "file")} into “.safelight-trash” in the same folder: the edit `
        + "with its history and versions, and the edited picture. Moved back from there, they are as before."),
      ...going.flatMap(({ warnings = [] }) => warnings).slice(0, MOST).map(words => make("p", {}, words)),
      ...(staying.length > 0 ? [make("p", {}, "These edits stay:"), reasons(staying)] : []),
    ];
    let results = [];
    const act = async () => { results = await api.putGoneAway(going.map(({ photo }) => photo)); };
    if (!await ask("Edits of deleted photos", content, { label: "Put away", act })) return;
    const left = results.filter(({ status }) => status !== "removed");
    const words = [`${count(results.length - left.length, "edit")} put away.`];
    if (left.length > 0) words.push(`${count(left.length, "edit")} stayed.`);
    const why = { label: "Why", act: () => tell("These edits stay", [reasons(left)]) };
    say(words.join(" "), { isTrouble: left.length > 0, actions: left.length > 0 ? [why] : [] });
  }
}

function list(names) {
  const more = names.length > MOST && make("li", {}, `and ${count(names.length - MOST, "other")}`);
  return make("ul", { class: "files" }, ...names.slice(0, MOST).map(name => make("li", {}, name)), more);
}

/** Photos whose edits stay, each with the reason. */
function reasons(photos) {
  return make("dl", {}, ...photos.slice(0, MOST).flatMap(({ name, reason }) =>
    [make("dt", {}, name), make("dd", {}, reason)]));
}
