/** Canonical JSON and a short, non-cryptographic digest. */

/** Value of a {@link PendingText} that consists of `before` alone. */
const endOfText = Symbol('end of text');

/** Text to append, and the value to serialize after it. */
interface PendingText {
  readonly before: string;
  readonly value: unknown;
}

/** Returns the parts of an array or an object to serialize, in order. */
function membersOf(value: object): PendingText[] {
  const members: PendingText[] = [];
  const separator = () => (members.length === 0 ? '' : ',');
  if (Array.isArray(value)) for (const item of value) members.push({ before: separator(), value: item });
  else
    for (const name of Object.keys(value).sort()) {
      const member = (value as Readonly<Record<string, unknown>>)[name];
      if (member !== undefined) members.push({ before: `${separator()}${JSON.stringify(name)}:`, value: member });
    }
  return members;
}

/** Serializes a value as JSON with sorted members and without undefined ones: equal data results in equal text. Nesting of any depth is supported. */
export function canonicalJson(root: unknown): string {
  let text = '';
  const pending: PendingText[] = [{ before: '', value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { before, value } = next;
    text += before;
    if (value === endOfText) continue;
    if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value) ?? 'null';
      continue;
    }
    text += Array.isArray(value) ? '[' : '{';
    pending.push({ before: Array.isArray(value) ? ']' : '}', value: endOfText });
    for (const member of membersOf(value).reverse()) pending.push(member);
  }
  return text;
}

/** FNV-1a, 64 bits as 16 hex digits: short, stable names and change markers. Not for secrets; collisions can be constructed. */
export function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
