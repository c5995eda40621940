// A photo's edit as a value. It follows the rules of EditStack in Swift, so that the page writes the record that the
// command line writes: all parameters of an adjustment in the table's order, neutral adjustments left out, fields and
// adjustments that the table does not know kept as they are.

/** The adjustments by id. Made from `GET /v1/adjustments`. */
export class Table {
  constructor(adjustments) {
    this.adjustments = adjustments;
    this.byId = new Map(adjustments.map(adjustment => [adjustment.id, adjustment]));
  }

  adjustment(id) { return this.byId.get(id); }

  parameter(id, name) { return this.byId.get(id)?.parameters.find(parameter => parameter.name === name); }

  isGeometry(id) { return this.byId.get(id)?.group === "geometry"; }

  /** The value that changes nothing. */
  neutral(id, name) { return this.parameter(id, name)?.default; }
}

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right);

export class Stack {
  /**
   * @param {Table} table The adjustments of this version.
   * @param {object[]} entries The adjustments as the record has them.
   * @param {object} values The parameters by option, as `edit show` prints them; they are needed to change an
   *   adjustment that an earlier version stored with other fields.
   */
  constructor(table, entries = [], values = {}) {
    this.table = table;
    this.entries = entries;
    this.values = values;
  }

  with(entries) { return new Stack(this.table, entries, this.values); }

  entry(id) { return this.entries.find(entry => entry.id === id); }

  /** Whether a newer version stored this adjustment, so that it can be kept and not changed. */
  isNewer(id) {
    const entry = this.entry(id);
    return Boolean(entry) && !(entry.version <= (this.table.adjustment(id)?.version ?? 0));
  }

  /** A parameter's value; the neutral one when the edit does not have the adjustment. */
  value(id, name) {
    const parameter = this.table.parameter(id, name);
    const entry = this.entry(id);
    if (!entry) return parameter.default;
    if (entry.version === this.table.adjustment(id).version) return entry[name] ?? parameter.default;
    return this.values[parameter.option] ?? parameter.default;
  }

  /** The edit with one parameter set. An adjustment that is neutral afterwards is left out. */
  set(id, name, value) {
    return this.setAll(id, { [name]: value });
  }

  /** The edit with several parameters of one adjustment set. */
  setAll(id, changes) {
    if (this.isNewer(id)) return this;
    const { version, parameters } = this.table.adjustment(id);
    const before = this.entry(id);
    const known = {};
    for (const { name } of parameters) known[name] = name in changes ? changes[name] : this.value(id, name);
    // Fields that this version does not know stay; those of an earlier version have become others.
    const unknown = before?.version === version
      ? Object.fromEntries(Object.entries(before).filter(([key]) => !(key in known) && key !== "id" && key !== "version"))
      : {};
    const place = before ? this.entries.indexOf(before) : this.entries.length;
    const others = this.entries.filter(entry => entry.id !== id);
    const neutral = parameters.every(parameter => isNeutral(parameter, known));
    if (!neutral || Object.keys(unknown).length > 0) {
      others.splice(place, 0, { id, version, ...known, ...unknown });
    }
    return this.with(others);
  }

  /** The options whose values here are neither neutral nor those of another edit. */
  differing(other) {
    return this.table.adjustments.flatMap(({ id, parameters }) => parameters.flatMap(({ name, option, default: neutral }) => {
      const value = this.value(id, name);
      return !option || same(value, neutral) || same(value, other.value(id, name)) ? [] : [option];
    }));
  }

  remove(id) { return this.with(this.entries.filter(entry => entry.id !== id)); }

  /** The last applied filter, or undefined. */
  get filter() { return this.entries.findLast(entry => entry.id === "filter"); }

  /**
   * The edit with one filter instead of its filters.
   *
   * @param {object|null} filter The filter from `GET /v1/filters`, or null for none.
   * @param {number} intensity 0 to 1.
   */
  setFilter(filter, intensity = 1) {
    const others = this.entries.filter(entry => entry.id !== "filter");
    if (!filter) return this.with(others);
    const { version } = this.table.adjustment("filter");
    return this.with([...others, {
      id: "filter", version, name: filter.name, title: filter.title, filterVersion: filter.version, intensity,
      steps: filter.steps,
    }]);
  }

  /** The edit with the last filter at another intensity. */
  setIntensity(intensity) {
    const last = this.filter;
    return this.with(this.entries.map(entry => entry === last ? { ...entry, intensity } : entry));
  }

  /** Only what moves pixels: what the photo looks like before everything else. */
  get geometry() { return this.with(this.entries.filter(entry => this.table.isGeometry(entry.id))); }

  equals(other) { return same(this.entries, other.entries); }

  get isEmpty() { return this.entries.length === 0; }

  /**
   * This edit's changes since `base`, made again to another edit: what was changed here wins, everything else is as
   * the other edit has it.
   */
  rebased(base, other) {
    let result = other;
    for (const { id, parameters } of this.table.adjustments) {
      if (id === "filter") continue;
      // Tables and texts of a lookup table belong together.
      const changed = parameters.filter(({ name }) => !same(this.value(id, name), base.value(id, name)));
      if (changed.length === 0) continue;
      const names = changed.some(({ type }) => type === "table") ? parameters : changed;
      result = result.setAll(id, Object.fromEntries(names.map(({ name }) => [name, this.value(id, name)])));
    }
    const filters = stack => stack.entries.filter(entry => entry.id === "filter");
    if (!same(filters(this), filters(base))) {
      result = result.with([...result.entries.filter(entry => entry.id !== "filter"), ...filters(this)]);
    }
    return result;
  }
}

/** Whether a parameter's value changes nothing. A curve of points on the diagonal is straight. */
function isNeutral(parameter, values) {
  const value = values[parameter.name];
  if (parameter.type === "curve") return value.every(([input, output]) => input === output);
  // How a straight curve acts does not matter.
  if (parameter.type === "choice" && Object.values(values).every(
    each => !Array.isArray(each) || each.every(point => point[0] === point[1]))) return true;
  return same(value, parameter.default);
}
