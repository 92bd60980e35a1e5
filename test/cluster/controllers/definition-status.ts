import { type ApiObject, equal, type Fields, isFields } from '../objects/object.ts';
import { type DefinitionNames, definitionSpecOf } from '../schema/definition.ts';

/** One condition of a definition. */
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** The status of a definition, as far as it is there. */
interface DefinitionStatus {
  readonly conditions?: readonly Condition[];
  readonly acceptedNames?: Partial<DefinitionNames>;
  readonly storedVersions?: readonly string[];
}

const statusOf = ({ status }: ApiObject): DefinitionStatus => (isFields(status) ? (status as DefinitionStatus) : {});

const isTrue = (crd: ApiObject, type: string): boolean =>
  statusOf(crd).conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** Whether a definition's resources are to be served. */
export const isEstablished = (crd: ApiObject): boolean => isTrue(crd, 'Established');

/** Names that other definitions of the group have been given: those of resources, and those of kinds. */
function takenNames(others: readonly ApiObject[]): {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
} {
  const accepted = others.map((crd) => statusOf(crd).acceptedNames ?? {});
  return {
    resources: new Set(
      accepted.flatMap(({ plural = '', singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
    ),
    kinds: new Set(accepted.flatMap(({ kind = '', listKind = '' }) => [kind, listKind])),
  };
}

interface Verdict {
  readonly names: Fields;
  /** The last conflict, which is the one that is told. */
  readonly conflict?: { readonly reason: string; readonly message: string };
}

/** Accepts each name that nobody else has; a refused one stays what was accepted before. */
function judgeNames(crd: ApiObject, others: readonly ApiObject[]): Verdict {
  const { names } = definitionSpecOf(crd as unknown as Fields);
  const before = statusOf(crd).acceptedNames ?? {};
  const { resources, kinds } = takenNames(others);
  const accepted: Fields = { plural: '', kind: '' };
  let conflict: Verdict['conflict'];
  const judge = (
    name: keyof DefinitionNames,
    wanted: readonly string[],
    taken: ReadonlySet<string>,
    reason: string,
  ): void => {
    const clash = wanted.find((one) => taken.has(one));
    const value = clash === undefined ? names[name] : before[name];
    if (clash !== undefined) conflict = { reason, message: `${JSON.stringify(clash)} is already in use` };
    if (value !== undefined) accepted[name] = value;
  };
  const { plural, singular = names.kind.toLowerCase(), shortNames = [], kind, listKind = `${kind}List` } = names;
  judge('plural', [plural], resources, 'PluralConflict');
  judge('singular', [singular], resources, 'SingularConflict');
  judge('shortNames', shortNames, resources, 'ShortNamesConflict');
  judge('kind', [kind], kinds, 'KindConflict');
  judge('listKind', [listKind], kinds, 'ListKindConflict');
  if (names.categories !== undefined) accepted.categories = names.categories;
  return conflict === undefined ? { names: { ...names } } : { names: accepted, conflict };
}

function storedVersions(crd: ApiObject): readonly string[] {
  const known = statusOf(crd).storedVersions ?? [];
  const storage = definitionSpecOf(crd as unknown as Fields).versions?.find((version) => version.storage)?.name;
  return storage === undefined || known.includes(storage) ? known : [...known, storage];
}

/** The status that a definition should have beside the others of its group: its names judged, and established when all are accepted. */
export function definitionStatus(crd: ApiObject, others: readonly ApiObject[], now: string): Fields {
  const { names, conflict } = judgeNames(crd, others);
  const known = statusOf(crd).conditions ?? [];
  const condition = (type: string, status: boolean, reason: string, message: string): Condition => {
    const fresh = { type, status: status ? 'True' : 'False', lastTransitionTime: now, reason, message };
    const before = known.find((one) => one.type === type);
    const same = before !== undefined && equal({ ...before, lastTransitionTime: now }, fresh);
    return same ? before : fresh;
  };
  const established = condition('Established', true, 'InitialNamesAccepted', 'the initial names have been accepted');
  const refused = condition('Established', false, 'NotAccepted', 'not all names are accepted');
  const before = known.find(({ type }) => type === 'Established');
  const unrelated = known.filter(({ type }) => type !== 'NamesAccepted' && type !== 'Established');
  return {
    conditions: [
      conflict === undefined
        ? condition('NamesAccepted', true, 'NoConflicts', 'no conflicts found')
        : condition('NamesAccepted', false, conflict.reason, conflict.message),
      conflict === undefined ? established : before?.status === 'True' ? before : refused,
      ...unrelated,
    ],
    acceptedNames: names,
    storedVersions: storedVersions(crd),
  };
}
