import { isFields } from '../objects/object.ts';

const quote = 34;
const backslash = 92;
const colon = 58;

/** The index after the string that starts at `index`. */
function afterString(text: string, index: number): number {
  let end = index + 1;
  while (end < text.length && text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === backslash ? 2 : 1;
  return end + 1;
}

/** How many members a JSON text writes down, repeated ones included. */
function writtenMembers(text: string): number {
  let count = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === colon) count += 1;
    index = code === quote ? afterString(text, index) : index + 1;
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

/** Walks a valid JSON text and tells the paths of members that were there before. */
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

/** Paths of members that a JSON text repeats within one object; `value` is what the text parsed to. */
export function duplicateMembers(text: string, value: unknown): readonly string[] {
  if (writtenMembers(text) === parsedMembers(value)) return [];
  const walk = new Walk(text);
  walk.value('');
  return walk.found;
}
