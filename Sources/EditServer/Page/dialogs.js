// Questions, and messages, which go by themselves.

import { find, iconButton, make, newId, textButton } from "./dom.js";

/**
 * Asks something in a dialog.
 *
 * @param {string} title What is asked.
 * @param {Node[]} content What stands between the title and the buttons.
 * @param {{label: string, isDangerous?: boolean, act?: () => Promise}} action The button that does it; there is always one
 *   to leave. With `act` the dialog stays until that is done; what it throws is said in the dialog.
 * @returns {Promise<boolean>} Whether it should be done. The content can be read afterwards.
 */
export function ask(title, content, action) {
  const heading = newId("question");
  const kind = action.isDangerous ? "danger" : "main";
  const wrong = make("p", { class: "wrong", id: newId("wrong"), role: "alert", hidden: true });
  const agree = make("button", { type: "submit", value: "yes", class: kind }, action.label);
  const cancel = textButton("Cancel", () => dialog.close(""), { class: "quiet" });
  const form = make(
    "form", { method: "dialog" }, make("h2", { id: heading }, title),
    make("div", { class: "dialog-content" }, ...content), wrong, make("div", { class: "dialog-actions" }, cancel, agree));
  const dialog = make("dialog", { "aria-labelledby": heading }, form);
  document.body.append(dialog);
  if (action.act) {
    const field = form.querySelector("input");
    form.addEventListener("submit", async event => {
      event.preventDefault();
      agree.disabled = true;
      wrong.hidden = true;
      field?.removeAttribute("aria-invalid");
      try {
        await action.act();
        dialog.close("yes");
      } catch (error) {
        wrong.textContent = error.hint ? `${error.message} ${error.hint}` : error.message;
        wrong.hidden = false;
        field?.setAttribute("aria-invalid", "true");
        field?.setAttribute("aria-describedby", wrong.id);
        field?.focus();
      } finally {
        agree.disabled = false;
      }
    });
  }
  return new Promise(resolve => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    show(dialog);
  });
}

/** Asks for a text and does something with it. The dialog stays, with the text, until that is done or it is left. */
export async function askText(title, label, facts, act) {
  const input = make("input", { type: "text", required: true, autocomplete: "off", spellcheck: false, ...facts });
  const given = async () => {
    const text = input.value.trim();
    if (!text) throw new Error("A name is needed.");
    await act(text);
  };
  await ask(title, [make("label", { class: "stacked" }, label, input)], { label: "Save", act: given });
}

/** Shows something to read, such as the keys. */
export function tell(title, content) {
  const heading = newId("telling");
  const dialog = make(
    "dialog", { "aria-labelledby": heading, class: "telling" },
    make("form", { method: "dialog" }, make("h2", { id: heading }, title),
      make("div", { class: "dialog-content" }, ...content),
      make("div", { class: "dialog-actions" }, make("button", { type: "submit", class: "main" }, "Close"))));
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  show(dialog);
}

/** Opens a dialog. Keys can scroll a content that is longer than the window. */
function show(dialog) {
  dialog.showModal();
  const content = dialog.querySelector(".dialog-content");
  if (content.scrollHeight <= content.clientHeight) return;
  content.tabIndex = 0;
  content.setAttribute("role", "group");
  content.setAttribute("aria-labelledby", dialog.getAttribute("aria-labelledby"));
}

/** Milliseconds that a message stays after nobody points at it or has the focus in it: longer when there is more to do. */
const STAYS = { plain: 6000, withActions: 12_000, trouble: 20_000 };
/** Most messages at once; older ones go. */
const MOST = 3;

/** Tells screen readers what is seen anyway. They hear changes of an element that stays, and often no new elements. */
export function announce(text) { find("said").textContent = text; }

/**
 * Shows a message in the corner.
 *
 * @param {string} text What happened.
 * @param {object} [facts] `isTrouble` for what went wrong, which stays longer; `actions`, each with a `label` and an `act`,
 *   to offer.
 */
export function say(text, { isTrouble = false, actions = [] } = {}) {
  const close = () => element.remove();
  const element = make(
    "div", { class: isTrouble ? "message trouble" : "message", role: isTrouble ? "alert" : undefined },
    make("p", {}, text),
    ...actions.map(({ label, act }) => textButton(label, () => { close(); act(); })),
    iconButton("close", "Close the message", close));
  const host = find("messages");
  // The same message twice is one message.
  for (const other of host.querySelectorAll(".message > p")) if (other.textContent === text) other.parentElement.remove();
  host.append(element);
  const others = [...host.querySelectorAll(".message:not(.job)")];
  for (const old of others.slice(0, Math.max(others.length - MOST, 0))) old.remove();
  if (!isTrouble) announce(text);
  const stays = isTrouble ? STAYS.trouble : actions.length > 0 ? STAYS.withActions : STAYS.plain;
  let timer;
  const stay = () => clearTimeout(timer);
  const wait = () => {
    stay();
    if (!element.matches(":hover, :focus-within")) timer = setTimeout(close, stays);
  };
  for (const event of ["pointerenter", "focusin"]) element.addEventListener(event, stay);
  for (const event of ["pointerleave", "focusout"]) element.addEventListener(event, wait);
  wait();
}

/** Does something, and says what went wrong. */
export async function guarded(act) {
  try {
    return await act();
  } catch (error) {
    sayProblem(error);
  }
}

/** Says what went wrong, in the server's words and with its advice. */
export function sayProblem(error) {
  if (error.name === "AbortError") return;
  if (!("status" in error) && error.constructor.name === "TypeError") console.error(error);
  say(error.hint ? `${error.message} ${error.hint}` : error.message, { isTrouble: true });
}
