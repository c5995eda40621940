// Numbers, dates and names as people read them.

/** "highlights-shadows" or "outputBlack" as words: "Highlights shadows", "Output black". */
export function title(name) {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("-", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const SIGNS = { percent: "%", degrees: "°", kelvin: " K", stops: "", pixels: " px", seconds: " s", share: "" };

/**
 * A value of a parameter for people: "+0.35", "5200 K", "-1.5°".
 *
 * @param {number} value The number.
 * @param {object} parameter The parameter from the table.
 */
export function measured(value, parameter) {
  const sign = parameter.minimum < 0 && value > 0 ? "+" : "";
  return sign + plain(value, parameter) + (SIGNS[parameter.unit] ?? "");
}

/** A value with as many digits as its slider has steps. */
export function plain(value, parameter) {
  const step = stepOf(parameter);
  const places = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3;
  return String(Number(value.toFixed(Math.max(places, 0))));
}

/** How far one press of an arrow key moves a parameter. */
export function stepOf(parameter) {
  if (parameter.type === "integer" || parameter.type === "degrees") return 1;
  const span = parameter.maximum - parameter.minimum;
  if (parameter.unit === "kelvin") return 50;
  if (parameter.unit === "degrees") return span > 180 ? 1 : 0.1;
  if (span <= 1.5) return 0.01;
  if (span <= 10) return 0.05;
  return span < 100 ? 0.1 : 1;
}

/** "1 photo", "1,204 photos". */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** "195 kB", "3.8 MB". */
export function bytes(number) {
  if (number < 1000) return `${number} bytes`;
  const [unit, size] = number < 999_500 ? ["kB", 1000] : number < 999_500_000 ? ["MB", 1e6] : ["GB", 1e9];
  const amount = number / size;
  return `${amount < 10 && unit !== "kB" ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
}

/**
 * A date as its clock showed it: "1 June 2024, 10:34". The zone is left out, because a photo's date is that of the
 * place where it was taken.
 */
export function date(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text ?? "");
  if (!parts) return text ?? "";
  const month = new Date(Date.UTC(2000, Number(parts[2]) - 1, 1)).toLocaleString("en", { month: "long", timeZone: "UTC" });
  return `${Number(parts[3])} ${month} ${parts[1]}, ${parts[4]}:${parts[5]}`;
}

/** When something was done, in this computer's time. */
export function moment(text) {
  const when = new Date(text);
  if (Number.isNaN(when.getTime())) return text ?? "";
  return when.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** An exposure time: "1/250 s", "2 s". */
export function exposureTime(seconds) {
  return seconds < 0.4 ? `1/${Math.round(1 / seconds)} s` : `${Number(seconds.toFixed(1))} s`;
}

/** A place: "54.1815° N, 7.8855° E". */
export function place({ latitude, longitude }) {
  const part = (degrees, positive, negative) =>
    `${Math.abs(degrees).toFixed(4)}° ${degrees < 0 ? negative : positive}`;
  return `${part(latitude, "N", "S")}, ${part(longitude, "E", "W")}`;
}

/** The last part of a path. */
export function fileName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}
