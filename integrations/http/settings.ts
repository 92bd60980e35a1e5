/** Settings that a workspace has in `spec.integrations.<name>`, and their checks. */

import { isJsonObject, messageOf, type Workspace, withOutputs } from '../../sdk/index.ts';
import { jsonShape } from './json-shape.ts';
import type { CheckedHooksOptions } from './options.ts';

/** Valid settings of one object of a workspace. */
export type HookSettings = Readonly<Record<string, unknown>>;

/** Characters of all settings of a workspace as JSON. */
const maxSettingsLength = 65_536;
/** Maximum number of objects of a workspace. */
const maxObjects = 32;
/** Pattern of an object's name. */
const maxNameLength = 63;
const objectName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Returns the path of a `pattern` or `patternProperties` in a schema, whose matching time is unbounded; undefined without one. */
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

/** Reports whether a workspace requests an integration. */
export const asksForHook = (name: string, { spec }: Workspace): boolean => Object.hasOwn(spec.integrations ?? {}, name);

/** Returns the names of the requested objects of a workspace that are strings. */
export function namesAsked(name: string, { spec }: Workspace): readonly string[] {
  const requested: unknown = spec.integrations?.[name];
  const names: readonly unknown[] = Array.isArray(requested)
    ? requested.slice(0, maxObjects).map((settings: unknown) => (isJsonObject(settings) ? settings.name : undefined))
    : [];
  return names.filter((one) => typeof one === 'string');
}

function replaced(workspace: Workspace, name: string): unknown {
  try {
    return withOutputs<unknown>(workspace, workspace.spec.integrations?.[name]);
  } catch (error) {
    return error;
  }
}

/** Reads the settings of a workspace, one for each object, or returns the mistake. */
export type ReadSettings = (workspace: Workspace) => Promise<readonly HookSettings[] | string>;

/** Settings with the path at which it stands. */
interface PlacedSettings {
  readonly at: string;
  readonly settings: HookSettings;
}

/** Returns the objects of a list with their paths, or the mistake in their names. */
function namedIn(requested: unknown, at: string): readonly PlacedSettings[] | string {
  if (!Array.isArray(requested) || requested.length > maxObjects)
    return `${at} must be a list of up to ${maxObjects} external objects, each with a name`;
  const names = new Set<unknown>();
  for (const [index, settings] of requested.entries()) {
    const name: unknown = isJsonObject(settings) ? settings.name : undefined;
    if (typeof name !== 'string' || !objectName.test(name))
      return `${at}[${index}].name must be a DNS label (a-z, 0-9, -; ${maxNameLength} characters at most), which distinguishes them`;
    if (names.has(name))
      return `${at}[${index}].name: ${name} is there already; each external object has a name of its own`;
    names.add(name);
  }
  return requested.map((settings: HookSettings, index) => ({ at: `${at}[${index}]`, settings }));
}

/** Returns the requested objects with their paths. */
function placedIn(requested: unknown, at: string, several: boolean): readonly PlacedSettings[] | string {
  const { length } = JSON.stringify(requested ?? null);
  if (length > maxSettingsLength)
    return `${at} must have at most ${maxSettingsLength} characters as JSON; found ${length}`;
  if (several) return namedIn(requested, at);
  return isJsonObject(requested)
    ? [{ at, settings: requested }]
    : `${at} must be an object, {} for the server's defaults`;
}

/** Returns settings as they are sent to the server: without the name of one of several external objects, which is its owner's slot. */
export function serverSettingsOf(settings: HookSettings, several: boolean): HookSettings {
  const { name, ...rest } = settings;
  return several ? rest : settings;
}

/** Returns a function that reads the settings of a workspace, with the outputs that they name, or says what is wrong with one: field, what it may be. */
export function settingsReader({
  name,
  several,
  schema,
}: Pick<CheckedHooksOptions, 'name' | 'several' | 'schema'>): ReadSettings {
  const at = `spec.integrations.${name}`;
  const shapes: { mistakeIn?: ReturnType<typeof jsonShape> } = {};
  return async (workspace) => {
    const requested = replaced(workspace, name);
    if (requested instanceof Error) return `${at}: ${messageOf(requested)}`;
    const placed = placedIn(requested, at, several);
    if (typeof placed === 'string') return placed;
    const wanted = placed.map(({ settings }) => settings);
    if (schema === undefined) return wanted;
    shapes.mistakeIn ??= jsonShape(schema);
    const mistakeIn = await shapes.mistakeIn.catch((error: unknown) => () => `option schema: ${messageOf(error)}`);
    for (const one of placed) {
      const mistake = mistakeIn(serverSettingsOf(one.settings, several));
      if (mistake !== undefined) return `${one.at} is not as its schema says: ${mistake}`;
    }
    return wanted;
  };
}
