/** Default configuration of API priority and fairness. */

import type { Draft, Fields } from '../apimachinery/object.ts';
import type { VersionChanges } from '../resources/table-changes.ts';
import { flowSchemaTable, parseObjectTable, priorityLevelTable } from './system-object-table.ts';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';

const objectOf = (kind: string, name: string, rest: Fields): Draft => ({
  apiVersion,
  kind,
  metadata: { name, generation: 1, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
  ...rest,
});

const levelOf = ({ priorityLevelConfiguration }: Fields): string =>
  (priorityLevelConfiguration as { readonly name: string }).name;

/** Returns the default FlowSchemas; `now` is a timestamp. */
export const flowSchemas = (now: string, changes: VersionChanges['tables'] = {}): readonly Draft[] =>
  parseObjectTable(flowSchemaTable, changes.flowSchemaTable).map(([name, spec]) =>
    objectOf('FlowSchema', name, {
      spec,
      status: {
        conditions: [
          {
            type: 'Dangling',
            status: 'False',
            lastTransitionTime: now,
            reason: 'Found',
            message: `This FlowSchema references the PriorityLevelConfiguration object named "${levelOf(spec)}" and it exists`,
          },
        ],
      },
    }),
  );

/** Returns the default PriorityLevelConfigurations. */
export const priorityLevels = (changes: VersionChanges['tables'] = {}): readonly Draft[] =>
  parseObjectTable(priorityLevelTable, changes.priorityLevelTable).map(([name, spec]) =>
    objectOf('PriorityLevelConfiguration', name, { spec, status: {} }),
  );
