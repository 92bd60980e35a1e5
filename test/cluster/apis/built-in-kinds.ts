/** Rules of built-in kinds, gathered from the folders of their groups. */

import type { Fields } from '../apimachinery/object.ts';
import type { DefaultRule } from '../resources/default-rule.ts';
import { appsKinds } from './apps/apps-kinds.ts';
import { batchKinds } from './batch/batch-kinds.ts';
import type { BuiltinKind } from './built-in-kind.ts';
import { podTemplateWarn, podWarn } from './core/pods/warnings/template-warnings.ts';
import { replicationController } from './core/replication-controller.ts';

/** Rules of kinds, by type. */
export const builtinKinds: Readonly<Record<string, BuiltinKind>> = {
  ...appsKinds,
  ...batchKinds,
  'core.Pod': { warn: podWarn },
  'core.PodTemplate': { warn: podTemplateWarn },
  'core.ReplicationController': replicationController,
};

const all = Object.values(builtinKinds);

/** Constant defaults of those kinds, by type. */
export const kindValues: Readonly<Record<string, Fields>> = Object.assign({}, ...all.map(({ values }) => values));

/** Defaults of those kinds that depend on other fields, by type. */
export const kindDefaults: Readonly<Record<string, DefaultRule>> = Object.assign(
  {},
  ...all.map(({ defaults }) => defaults),
);
