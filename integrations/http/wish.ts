/** Wishes of workspaces, in `spec.integrations.<name>`. */

import { messageOf, type Workspace, withOutputs } from '../../sdk/index.ts';
import { jsonShape } from './json-shape.ts';

/** Valid wish of a workspace. */
export type HookWish = Readonly<Record<string, unknown>>;

/** Characters of a wish as JSON. */
const longestWish = 65_536;

const isObject = (value: unknown): value is HookWish =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the path of a `pattern` or `patternProperties` in a schema, with which a text may take for ever; undefined when there is none. */
export function patternIn(schema: unknown, path = ''): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  for (const [member, value] of Object.entries(schema)) {
    const at = path === '' ? member : `${path}.${member}`;
    const isPattern = member === 'pattern' ? typeof value === 'string' : member === 'patternProperties';
    const found = isPattern ? at : patternIn(value, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reports whether a workspace asks for an integration. */
export const asksForHook = (name: string, { spec }: Workspace): boolean => Object.hasOwn(spec.integrations ?? {}, name);

function replaced(workspace: Workspace, name: string): unknown {
  try {
    return withOutputs<unknown>(workspace, workspace.spec.integrations?.[name]);
  } catch (error) {
    return error;
  }
}

/** Checks of what workspaces ask for. */
export type WishOf = (workspace: Workspace) => Promise<HookWish | string>;

/** Returns a function that reads the wish of a workspace, with the outputs that it names, or says what is wrong with it: field, what it may be. */
export function wishesOf(name: string, schema: HookWish | undefined): WishOf {
  const at = `spec.integrations.${name}`;
  const shapes: { mistakeIn?: ReturnType<typeof jsonShape> } = {};
  return async (workspace) => {
    const asked = replaced(workspace, name);
    if (asked instanceof Error) return `${at}: ${messageOf(asked)}`;
    if (!isObject(asked)) return `${at} must be an object, {} for the server's defaults`;
    const { length } = JSON.stringify(asked);
    if (length > longestWish) return `${at} must have at most ${longestWish} characters as JSON; found ${length}`;
    if (schema === undefined) return asked;
    shapes.mistakeIn ??= jsonShape(schema);
    const mistakeIn = await shapes.mistakeIn.catch((error: unknown) => () => `option schema: ${messageOf(error)}`);
    const mistake = mistakeIn(asked);
    return mistake === undefined ? asked : `${at} is not as its schema says: ${mistake}`;
  };
}
