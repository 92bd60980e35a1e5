import { isFields } from '../apimachinery/object.ts';

const quote = '"';
const backslash = 92;
const colon = 58;

/** Returns the index of the quote that ends the string starting at `index`. */
function endOfString(text: string, index: number): number {
  for (let end = text.indexOf(quote, index + 1); ; end = text.indexOf(quote, end + 1)) {
    if (end === -1) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** Counts the members written in a JSON text, including duplicates. */
function writtenMembers(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; ) {
    const start = text.indexOf(quote, index);
    const stop = start === -1 ? text.length : start;
    for (; index < stop; index += 1) if (text.charCodeAt(index) === colon) count += 1;
    index = start === -1 ? stop : endOfString(text, start) + 1;
  }
  return count;
}

function parsedMembers(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + parsedMembers(item), 0);
  if (!isFields(value)) return 0;
  let count = 0;
  for (const name in value) count += 1 + parsedMembers(value[name]);
  return count;
}

/** Walks a valid JSON text and collects the paths of duplicate members. */
class Walk {
  readonly found: string[] = [];
  readonly #tokens: readonly string[];
  #index = 0;

  constructor(text: string) {
    this.#tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g) ?? [];
  }

  value(path: string): void {
    const token = this.#tokens[this.#index++];
    if (token === '{') this.#object(path);
    else if (token === '[') this.#list(path);
  }

  #object(path: string): void {
    const seen = new Set<string>();
    while (this.#tokens[this.#index] !== '}') {
      const name = JSON.parse(this.#tokens[this.#index]!) as string;
      const place = path === '' ? name : `${path}.${name}`;
      if (seen.has(name)) this.found.push(place);
      seen.add(name);
      this.#index += 2;
      this.value(place);
      if (this.#tokens[this.#index] === ',') this.#index += 1;
    }
    this.#index += 1;
  }

  #list(path: string): void {
    for (let item = 0; this.#tokens[this.#index] !== ']'; item += 1) {
      this.value(`${path}[${item}]`);
      if (this.#tokens[this.#index] === ',') this.#index += 1;
    }
    this.#index += 1;
  }
}

/** Returns the paths of duplicate members in a JSON text; `value` is the parsed text. */
export function duplicateMembers(text: string, value: unknown): readonly string[] {
  if (writtenMembers(text) === parsedMembers(value)) return [];
  const walk = new Walk(text);
  walk.value('');
  return walk.found;
}
