import type { Fields } from '../objects/object.ts';
import type { UpstreamTexts } from './upstream-texts.ts';

/** What asks for parameters. */
export interface Asking {
  readonly texts: UpstreamTexts;
  /** What the operation does: `post`, `list`, `connect`. */
  readonly action: string;
  /** The operation's id without its group: `readNamespacedPodLog`. */
  readonly method: string;
  /** The kind of what it is about. */
  readonly kind: string;
}

/** Operations of a small API whose parameters are those of all others, by what they do. */
const models: Readonly<Record<string, string>> = {
  post: 'createRuntimeClass',
  put: 'replaceRuntimeClass',
  patch: 'patchRuntimeClass',
  delete: 'deleteRuntimeClass',
  deletecollection: 'deleteCollectionRuntimeClass',
};
const [smallApi, anyModel] = ['NodeV1Api', 'listRuntimeClass'];

const inPath: Readonly<Record<string, (kind: string) => string>> = {
  name: (kind) => `name of the ${kind}`,
  namespace: () => 'object name and auth scope, such as for teams and projects',
  path: () => 'path to the resource',
};

function textOf({ name, in: place }: Fields, { texts, action, method, kind }: Asking): string | undefined {
  const key = String(name);
  if (place === 'path') return inPath[key]?.(kind);
  const isOwn = action === 'connect' || method === 'readNamespacedPodLog';
  const own = isOwn ? texts.parameters('CoreV1Api', method.replace('WithPath', '')).get(key) : undefined;
  const small = (model: string) => texts.parameters(smallApi, model).get(key);
  return own ?? small(models[action] ?? anyModel) ?? small(anyModel);
}

/** Parameters with what upstream says of them. */
export function explained(parameters: readonly Fields[], asking: Asking): readonly Fields[] {
  if (!asking.texts.isAtHand) return parameters;
  return parameters.map((parameter) => {
    const description = textOf(parameter, asking);
    if (description === undefined) return parameter;
    const { name, in: place, ...rest } = parameter;
    return { name, in: place, description, ...rest };
  });
}
