/** Validates the volumes of pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { annotationErrors } from '../../../../apimachinery/metadata-validation.ts';
import { isLabel, isSubdomain } from '../../../../apimachinery/name-validation.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { labels, type Rule } from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, forbidden, invalid, listOf, required } from '../../../../apimachinery/validation/errors.ts';
import { claimErrors } from '../../volumes/claim-validation.ts';
import { volumeSources } from './volume-sources.ts';

/** Go's names of metadata fields that a claim template must not set. */
const ofClaimsOnly: Readonly<Record<string, string>> = { uid: 'uID' };

/** Rule of ephemeral volumes. */
const ephemeral: Rule = function* (value, path) {
  const template = fieldsOf(value).volumeClaimTemplate;
  const at = `${path}.volumeClaimTemplate`;
  if (template === undefined) {
    yield required(at);
    return;
  }
  const { metadata, spec } = fieldsOf(template);
  const { labels: own, annotations, ...others } = fieldsOf(metadata);
  yield* annotationErrors(annotations, `${at}.metadata.annotations`);
  yield* labels(own, `${at}.metadata.labels`);
  for (const name of Object.keys(others)) {
    if (others[name] !== null) yield forbidden(`${at}.metadata.${ofClaimsOnly[name] ?? name}`, 'cannot be set');
  }
  yield* claimErrors(spec, `${at}.spec`);
};

const sources: readonly (readonly [string, Rule])[] = Object.entries({ ...volumeSources, ephemeral });

/** Paths at which the server reports a second source, where they differ from the source's own. */
const secondShownAt: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

const portalTooLong =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** Validates that a volume's name fits its source. */
function* namingErrors(volume: Fields, path: string, pod: string): Generator<FieldError> {
  const name = String(volume.name ?? '');
  const { initiatorName, targetPortal = '' } = fieldsOf(volume.iscsi);
  if (initiatorName !== undefined && `${name}:${targetPortal}`.length > 64) {
    yield invalid(`${path}.name`, name, portalTooLong);
  }
  if (volume.ephemeral === undefined || pod === '' || name === '') return;
  const claim = `${pod}-${name}`;
  for (const detail of isSubdomain(claim)) yield invalid(`${path}.name`, name, `PVC name "${claim}": ${detail}`);
}

function* sourceErrors(volume: Fields, path: string, pod: string): Generator<FieldError> {
  let count = 0;
  for (const [name, rule] of sources) {
    const source = volume[name];
    if (source === undefined || source === null) continue;
    count += 1;
    if (count === 1) yield* rule(source, `${path}.${name}`);
    else yield forbidden(`${path}.${secondShownAt[name] ?? name}`, 'may not specify more than 1 volume type');
  }
  yield* namingErrors(volume, path, pod);
  if (count === 0) yield required(path, 'must specify a volume type');
}

/** Valid volumes by name. */
export type Volumes = ReadonlyMap<string, Fields>;

/** Validates the volumes of a pod and adds the valid ones to `good`. `pod` is its name, empty for templates. */
export function* volumeErrors(
  { volumes }: Fields,
  path: string,
  { good, pod }: { readonly good: Map<string, Fields>; readonly pod: string },
): Generator<FieldError> {
  const list = listOf(volumes);
  const claims = new Set(pod === '' ? [] : list.filter((one) => one.ephemeral).map(({ name }) => `${pod}-${name}`));
  for (const [index, volume] of list.entries()) {
    const at = `${path}[${index}]`;
    const name = String(volume.name ?? '');
    const errors = [...sourceErrors(volume, at, pod)];
    if (name === '') errors.push(required(`${at}.name`));
    else for (const detail of isLabel(name)) errors.push(invalid(`${at}.name`, name, detail));
    if (good.has(name)) errors.push({ type: 'Duplicate', field: `${at}.name`, value: name });
    if (errors.length === 0) good.set(name, volume);
    yield* errors;
    const { claimName } = fieldsOf(volume.persistentVolumeClaim);
    if (claims.size > 0 && claims.has(String(claimName))) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      yield invalid(`${at}.persistentVolumeClaim.claimName`, claimName, detail);
    }
  }
}
