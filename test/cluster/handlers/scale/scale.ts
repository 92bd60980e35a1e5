/** Serves the `scale` subresource. */

import {
  type ApiObject,
  type Draft,
  draftOf,
  type Fields,
  isFields,
  valueAt,
  withValueAt,
} from '../../apimachinery/object.ts';
import type { PatchShape } from '../../apimachinery/patch/patch-meta.ts';
import { selectorText } from '../../apimachinery/selectors/selector-text.ts';
import { badRequest, failure, invalid, type StatusError } from '../../apimachinery/status.ts';
import { jsonResponse, representedResponse } from '../../encoding/representation.ts';
import { scaleVersion } from '../../managed-fields/scale-managers.ts';
import { updateObject } from '../../objects/update.ts';
import type { ManagedFields } from '../../objects/write-scope.ts';
import type { ApiResponse } from '../../requests/message.ts';
import { subresourceInfo } from '../../resources/subresource-info.ts';
import { scalePathOf } from '../../schema/scale-paths.ts';
import type { KindRules } from '../../server/kind-rules.ts';
import { admitSubresource } from '../admit-and-store.ts';
import { rulesOf } from '../decode.ts';
import { applyOptionsOf, writeOptionsOf } from '../parameters.ts';
import { applyPatch, applyType, conversionError, readApplyBody } from '../patch/apply-patch.ts';
import { decodePatched } from '../patch/decode-patched.ts';
import { patchBodyOf, patcherOf, patchTypeOf } from '../patch/patch-types.ts';
import { type Call, currentOf, type Verb } from '../resource-call.ts';
import { checkUid } from '../storage-preconditions.ts';
import { convertForDisplay, updateConverted } from '../store-converted.ts';
import { readSubresourceBody } from '../subresource-body.ts';
import { checkName } from '../write.ts';
import { managersFromScale, managersOfScale, scaleManagedFields, trackedScale } from './scale-managed-fields.ts';

interface ScalePaths {
  readonly replicas: readonly string[];
  readonly observed: readonly string[];
  readonly selector: readonly string[] | undefined;
  /** Path of the spec's replica count, as messages show it. */
  readonly text: string;
}

const builtinPaths: ScalePaths = {
  replicas: ['spec', 'replicas'],
  observed: ['status', 'replicas'],
  selector: ['spec', 'selector'],
  text: '.spec.replicas',
};

function pathsOf({ resource: { info } }: Call): ScalePaths {
  const scale = info.custom?.scale;
  if (scale === undefined) return builtinPaths;
  return {
    replicas: scalePathOf(scale.specReplicasPath),
    observed: scalePathOf(scale.statusReplicasPath),
    selector: scale.labelSelectorPath === undefined ? undefined : scalePathOf(scale.labelSelectorPath),
    text: scale.specReplicasPath,
  };
}

/** Formats a selector: custom resources keep text, built-in kinds a LabelSelector or a map of labels. */
function selectorTextOf(selector: unknown): string {
  if (!isFields(selector)) return typeof selector === 'string' ? selector : '';
  const isMap = selector.matchLabels === undefined && selector.matchExpressions === undefined;
  return selectorText(isMap ? { matchLabels: selector } : selector);
}

/** Shape of a Scale for strategic merges; it has no lists to merge. */
const scalePatchShape: PatchShape = { field: () => undefined };

/** Returns the Scale of an object; a count of zero is left out of its spec. */
function scaleOf(call: Call, object: ApiObject | Draft): Fields {
  const { replicas, observed, selector } = pathsOf(call);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const count = valueAt(object, replicas);
  const text = selector === undefined ? '' : selectorTextOf(valueAt(object, selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: count === 0 || count === undefined ? {} : { replicas: count },
    status: { replicas: valueAt(object, observed) ?? 0, ...(text !== '' && { selector: text }) },
  };
}

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

const missingCount = ({ text }: ScalePaths): StatusError => {
  const message = `the spec replicas field ${JSON.stringify(text)} does not exist`;
  return failure('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
};

const scaleInfo = subresourceInfo('autoscaling', 'Scale', 'autoscaling.Scale');

function scaleResponse(call: Call, stored: ApiObject): ApiResponse {
  const { resource, representation, form } = call;
  const scale = scaleOf(call, resource.view(stored));
  if (form.as === undefined) return jsonResponse(200, scale);
  const { custom } = resource.info;
  const info = custom === undefined ? scaleInfo : { ...scaleInfo, custom };
  const shown = { ...resource, info, apiVersion: scaleVersion };
  return representedResponse(200, representation.object(shown, scale as unknown as ApiObject));
}

/** Returns the object that the path names, converted for display. Rejects with the server's 404 and 500. */
async function convertedObject(call: Call): Promise<ApiObject> {
  const current = currentOf(call);
  await convertForDisplay(call.resource, current);
  return current;
}

/** GET of `/scale`. */
export const getScale: Verb = async (call) => {
  const current = await convertedObject(call);
  const paths = pathsOf(call);
  if (call.resource.info.custom && valueAt(call.resource.view(current), paths.replicas) === undefined)
    throw missingCount(paths);
  return scaleResponse(call, current);
};

/** Write of a changed Scale to its object. */
interface ScaleWrite {
  readonly current: ApiObject;
  readonly scale: unknown;
  readonly dryRun: boolean;
  readonly rules: KindRules;
  readonly managedFields: ManagedFields;
}

/** Writes the replica count and the resourceVersion of a changed Scale to its object. */
function writeScale(call: Call, write: ScaleWrite): ApiResponse | Promise<ApiResponse> {
  const { current, scale, dryRun } = write;
  if (!isFields(scale)) throw badRequest('a Scale must be an object');
  const oldObject = scaleOf(call, call.resource.view(current));
  const asked = admitSubresource(call, { kind: scaleKind, operation: 'UPDATE', object: scale, oldObject, dryRun });
  if (asked === undefined) return storeScale(call, { ...write, scale });
  return asked.then((object) => storeScale(call, { ...write, current: currentOf(call), scale: object }));
}

function storeScale(call: Call, write: ScaleWrite & { readonly scale: Fields }): ApiResponse | Promise<ApiResponse> {
  const { current, scale, ...terms } = write;
  const { server, resource } = call;
  const { name } = current.metadata;
  const count = Number(valueAt(scale, ['spec', 'replicas']) ?? 0);
  if (count < 0 && resource.info.custom === undefined) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      { type: 'Invalid', field: 'spec.replicas', value: count, detail: 'must be greater than or equal to 0' },
    ]);
  }
  const draft: Draft = draftOf(withValueAt(resource.view(current), pathsOf(call).replicas, count) as ApiObject);
  const version = valueAt(scale, ['metadata', 'resourceVersion']);
  if (typeof version === 'string' && version !== '') draft.metadata.resourceVersion = version;
  const scope = { server, resource, ...terms };
  if (resource.conversionWebhook === undefined) return scaleResponse(call, updateObject(scope, current, draft).object);
  return updateConverted(scope, current, draft).then(({ object }) => scaleResponse(call, object));
}

/** Reads the options and field managers of a plain write. */
async function optionsOf(call: Call, kind: string): Promise<Pick<ScaleWrite, 'dryRun' | 'rules' | 'managedFields'>> {
  const { dryRun, fieldManager } = writeOptionsOf(call.query, kind);
  const rules = await rulesOf(call);
  const tracked = await trackedScale(call, fieldManager);
  return { dryRun, rules, managedFields: scaleManagedFields(call, tracked, (object) => scaleOf(call, object)) };
}

/** PUT of `/scale`. */
export const updateScale: Verb = async (call) => {
  const terms = await optionsOf(call, 'UpdateOptions');
  const scale = await readSubresourceBody(call, 'Scale', writeOptionsOf(call.query, 'UpdateOptions'));
  checkName(call, scale);
  const current = await convertedObject(call);
  checkUid(call, scale, current);
  return writeScale(call, { current, scale, ...terms });
};

async function applyScale(call: Call): Promise<ApiResponse> {
  const { dryRun, fieldManager, force } = applyOptionsOf(call.query);
  const rules = await rulesOf(call);
  const tracked = await trackedScale(call, fieldManager);
  const { applied } = await readApplyBody(call);
  const current = await convertedObject(call);
  const shown = call.resource.view(current);
  const live = scaleOf(call, shown);
  const { object, managers } = applyPatch(tracked, {
    apiVersion: scaleVersion,
    kind: 'Scale',
    applied,
    live,
    managers: managersOfScale(call, shown),
    force,
  });
  // The real server cannot convert the Scale of a custom resource that an apply has changed.
  if (call.resource.info.custom !== undefined && object !== live) {
    throw conversionError(applied, `request to convert CR to an invalid group/version: ${scaleVersion}`);
  }
  checkName(call, object as Draft);
  return writeScale(call, {
    current,
    scale: object,
    dryRun,
    rules,
    managedFields: managersFromScale(call, managers),
  });
}

/** Count of a custom resource that has none, before a patch. */
const unsetCount = -(2 ** 31);

const emptyCount = ({ text }: ScalePaths): StatusError =>
  badRequest(`the spec replicas field ${JSON.stringify(text)} cannot be empty`);

/** Returns the Scale that a patch changes. */
function patchableScale(call: Call, current: ApiObject): ApiObject {
  const shown = call.resource.view(current);
  const scale = scaleOf(call, shown);
  const isCounted = call.resource.info.custom === undefined || valueAt(shown, pathsOf(call).replicas) !== undefined;
  return (isCounted ? scale : { ...scale, spec: { replicas: unsetCount } }) as unknown as ApiObject;
}

/** PATCH of `/scale`. */
export const patchScale: Verb = async (call) => {
  const type = patchTypeOf(call);
  if (type === applyType) return applyScale(call);
  const options = writeOptionsOf(call.query, 'PatchOptions');
  const terms = await optionsOf(call, 'PatchOptions');
  const scaleRules = await call.server.scheme.load(scaleInfo);
  const patch = await patchBodyOf(call, type);
  const patched = await patcherOf(type, patch.value, scalePatchShape);
  const current = await convertedObject(call);
  const former = patchableScale(call, current);
  const asScale = { ...call, resource: { ...call.resource, info: scaleInfo, apiVersion: scaleVersion } };
  const scale = decodePatched(asScale, scaleRules, { former, value: patched(former), patch, type, options });
  if (scale instanceof Promise) return scale;
  checkName(call, scale);
  if (call.resource.info.custom === undefined) checkUid(call, scale, current);
  else if (valueAt(scale, ['spec', 'replicas']) === unsetCount) throw emptyCount(pathsOf(call));
  return writeScale(call, { current, scale, ...terms });
};
