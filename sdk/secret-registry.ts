import { mask, redact } from './redact.ts';

/** Length below which values are not registered: they would match everywhere. */
const shortest = 6;

/** Length of the parts in which a long value is searched for, in characters. */
const longest = 4096;

/** Limit of the parts of one value: 64 KiB. */
const mostParts = 16;

/** Limit of the registered values; the oldest are evicted first. */
const mostValues = 1000;

/** Returns the parts of a value's base64 encoding that do not depend on the surrounding text, for each of three offsets. */
const base64Of = (value: string): readonly string[] =>
  [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
    const stable = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });

/** Returns the percent-encodings of a value: of components, forms, paths and strict ones, in upper and lower case. */
function percentEncoded(value: string): readonly string[] {
  const text = value.toWellFormed();
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const forms = [component, strict, form, encodeURI(text), new URL(`http://a/${component}`).pathname.slice(1)];
  return [...new Set(forms)].flatMap((one) => [one, one.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())]);
}

/** Returns the encodings in which a value appears in texts. */
const formsOf = (value: string): readonly string[] =>
  [value, ...percentEncoded(value), JSON.stringify(value).slice(1, -1), ...base64Of(value)].filter(
    (form) => form.length >= shortest,
  );

/** Returns a value in parts that are searched for; a last one that is too short for that stays with the one before. */
function partsOf(value: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < value.length; at += longest)
    parts.push(value.slice(at, value.length - at - longest < shortest ? value.length : at + longest));
  return parts.filter((part) => part.length >= shortest).slice(0, mostParts);
}

/** Registry of the secrets that a process knows, kept out of its output. In memory only. */
export class SecretRegistry {
  readonly #parent: SecretRegistry | undefined;
  readonly #forms = new Map<string, readonly string[]>();
  /** All forms, longest first, by their first characters. */
  #index: ReadonlyMap<string, readonly string[]> = new Map();

  /** @param parent whose values are redacted too; values that are added here are not added there */
  constructor(parent?: SecretRegistry) {
    this.#parent = parent;
  }

  /** Registers values; those of fewer than 6 characters are ignored. Beyond 1000, the oldest are evicted. */
  add(...values: readonly string[]): void {
    for (const known of values.flatMap(partsOf)) {
      if (this.#forms.has(known)) continue;
      this.#forms.set(known, formsOf(known));
      if (this.#forms.size > mostValues) this.#forms.delete(this.#forms.keys().next().value ?? '');
      const all = [...new Set([...this.#forms.values()].flat())].sort((a, b) => b.length - a.length);
      this.#index = Map.groupBy(all, (form) => form.slice(0, shortest));
    }
  }

  /** Redacts the registered values in a text, plain, in base64 or percent-encoded, and what {@link redact} recognises. */
  redact(text: string): string {
    const parts: string[] = [];
    let done = 0;
    for (let at = 0; this.#index.size > 0 && at <= text.length - shortest; at += 1) {
      const length = this.#at(text, at);
      if (length === 0) continue;
      parts.push(text.slice(done, at), mask);
      done = at + length;
      at = done - 1;
    }
    const redacted = parts.join('') + text.slice(done);
    return this.#parent === undefined ? redact(redacted) : this.#parent.redact(redacted);
  }

  /** Reports whether a text contains a registered value, plain, in base64 or percent-encoded. */
  isIn(text: string): boolean {
    for (let at = 0; this.#index.size > 0 && at <= text.length - shortest; at += 1)
      if (this.#at(text, at) > 0) return true;
    return this.#parent?.isIn(text) ?? false;
  }

  /** Returns the length of the longest form at this position, also of one that the end of the text cuts off; 0 when there is none. */
  #at(text: string, at: number): number {
    const forms = this.#index.get(text.slice(at, at + shortest));
    const found = forms?.find((form) => text.startsWith(form, at) || form.startsWith(text.slice(at)));
    return Math.min(found?.length ?? 0, text.length - at);
  }
}
