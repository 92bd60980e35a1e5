/** Checks manifests against the integrations of a config. */

import { readSettings, unknownSpecMemberTexts } from '../../../sdk/host/index.ts';
import { type Integration, outputReferences, UserError, type Workspace } from '../../../sdk/index.ts';
import { misspeltAfter } from '../../run/check-integrations.ts';
import { unknownTypes } from '../../tenants/config-choice.ts';
import { withRepresentatives } from '../../tenants/tenant-integration.ts';
import type { Config } from '../args/config.ts';
import type { LocatedManifest } from '../args/manifests.ts';
import { isWorkspace } from './apply.ts';

/** Notes on names that are valid but used by no integration, one line each. */
export function notesOn(
  { integrations: own, tenantIntegrations = {} }: Pick<Config, 'integrations'> & Partial<Config>,
  manifests: readonly LocatedManifest[],
): readonly string[] {
  const integrations = withRepresentatives({ integrations: own, tenantIntegrations });
  return [
    ...misspeltAfter(integrations),
    ...manifests.flatMap(({ object, where }) =>
      isWorkspace(object) && object.spec !== undefined
        ? [...unknownSpecMemberTexts(object, integrations), ...unknownTypes(object, tenantIntegrations)].map(
            (note) => `${where}: ${note}`,
          )
        : [],
    ),
  ];
}

/** Reports whether a workspace has settings for an integration that can be read before there are any outputs. */
const hasReadableSettings = ({ spec }: Workspace, { name, references }: Integration): boolean =>
  Object.hasOwn(spec?.integrations ?? {}, name) &&
  (references === undefined || outputReferences(spec.integrations?.[name]).length === 0);

/** Refuses settings that break the schema of their integration. @throws UserError E#2022 with file, line and field */
export function refuseSettings(integrations: readonly Integration[], manifests: readonly LocatedManifest[]): void {
  for (const { object, where } of manifests) {
    if (!isWorkspace(object)) continue;
    for (const integration of integrations.filter((one) => hasReadableSettings(object, one))) {
      const reading = readSettings(integration, object);
      if ('mistake' in reading)
        throw new UserError('E#2022', `${where}: Workspace ${object.metadata.name} is invalid`, {
          hint: reading.mistake,
        });
    }
  }
}
