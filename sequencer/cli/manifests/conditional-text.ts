/** Merges variants of a text into one template with conditions. All functions are pure. */

/** Line of a template, or lines that depend on a switch. */
export type TemplateNode = string | Choice;

/** Lines with a switch on, and those with it off. */
export interface Choice {
  readonly condition: string;
  readonly on: readonly TemplateNode[];
  readonly off: readonly TemplateNode[];
}

type Alike = (on: TemplateNode, off: TemplateNode) => boolean;

/** Returns the lengths of the longest common subsequences of all tails of two lists. */
function commonLengths(on: readonly TemplateNode[], off: readonly TemplateNode[], alike: Alike) {
  const lengths = Array.from({ length: on.length + 1 }, () => new Uint16Array(off.length + 1));
  for (let i = on.length - 1; i >= 0; i -= 1)
    for (let j = off.length - 1; j >= 0; j -= 1)
      lengths[i]![j] = alike(on[i]!, off[j]!)
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}

/** Returns nodes that render as `on` if the condition is true, else as `off`; equal nodes are not repeated. */
export function conditional(condition: string, all: Pick<Choice, 'on' | 'off'>, alike: Alike): readonly TemplateNode[] {
  const difference = all.on.findIndex((node, at) => all.off[at] === undefined || !alike(node, all.off[at]));
  const start = difference === -1 ? all.on.length : difference;
  const [on, off] = [all.on.slice(start), all.off.slice(start)];
  const lengths = commonLengths(on, off, alike);
  const nodes: TemplateNode[] = all.on.slice(0, start);
  let choice: { on: TemplateNode[]; off: TemplateNode[] } = { on: [], off: [] };
  const close = (): void => {
    if (choice.on.length + choice.off.length > 0) nodes.push({ condition, ...choice });
    choice = { on: [], off: [] };
  };
  let [i, j] = [0, 0];
  while (i < on.length || j < off.length) {
    const [a, b] = [on[i], off[j]];
    if (a !== undefined && b !== undefined && alike(a, b)) {
      close();
      nodes.push(a);
      i += 1;
      j += 1;
    } else if (a !== undefined && (b === undefined || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      choice.on.push(a);
      i += 1;
    } else {
      choice.off.push(b!);
      j += 1;
    }
  }
  close();
  return nodes;
}

/** Formats nodes as lines of a Go template. */
export const templateLines = (nodes: readonly TemplateNode[]): readonly string[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return [node];
    const { condition, on, off } = node;
    if (on.length === 0) return [`{{- if not ${condition} }}`, ...templateLines(off), '{{- end }}'];
    const otherwise = off.length === 0 ? [] : ['{{- else }}', ...templateLines(off)];
    return [`{{- if ${condition} }}`, ...templateLines(on), ...otherwise, '{{- end }}'];
  });
