/** Descriptions of OpenAPI parameters. */

import type { Fields } from '../apimachinery/object.ts';
import type { UpstreamTexts } from './upstream-descriptions.ts';

/** Operation whose parameters are described. */
export interface Asking {
  readonly texts: UpstreamTexts;
  /** Action of the operation: `post`, `list`, `connect`. */
  readonly action: string;
  /** Operation id without its group: `readNamespacedPodLog`. */
  readonly method: string;
  /** Kind of the operation's subject. */
  readonly kind: string;
}

/** Operations of a small API that share their parameters with all others, by action. */
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

/** Returns parameters with upstream's descriptions. */
export function withDescriptions(parameters: readonly Fields[], asking: Asking): readonly Fields[] {
  if (!asking.texts.isAtHand) return parameters;
  return parameters.map((parameter) => {
    const description = textOf(parameter, asking);
    if (description === undefined) return parameter;
    const { name, in: place, ...rest } = parameter;
    return { name, in: place, description, ...rest };
  });
}
