/** Integration: one object at Acme Box for each workspace that asks for it, found again by its name, the uid of its workspace. */

import {
  DefiniteError,
  defineIntegration,
  externalResource,
  type Integration,
  type Workspace,
} from 'workspace-sequencer/sdk';
import { type AcmeBoxApiOptions, createAcmeBoxApi } from './acme-box-api.ts';

/** Settings in a workspace: `spec.integrations.acme-box`. */
export interface AcmeBoxSettings {
  readonly text: string;
}

const longestText = 1_000;

/** Reads the settings of a workspace, which any tenant can write. @throws DefiniteError naming the field, when one is wrong */
function settingsOf({ spec }: Workspace): AcmeBoxSettings {
  const { text } = (spec.integrations?.['acme-box'] ?? {}) as { readonly text?: unknown };
  if (typeof text !== 'string' || text === '' || text.length > longestText)
    throw new DefiniteError(`spec.integrations.acme-box.text must be a text of 1 to ${longestText} characters`);
  return { text };
}

/** Keeps one object for each workspace that asks for it. */
export function acmeBox(options: AcmeBoxApiOptions): Integration {
  const api = createAcmeBoxApi(options);

  const object = externalResource<AcmeBoxSettings, { id: string }>({
    label: 'acme box',
    identity: 'name', // names are unique, and creating is conditional: it says when the name exists
    async find({ uid }, { signal }) {
      const found = await api.find('name', uid, signal);
      return found && { id: found.id };
    },
    async create({ text }, { owner, signal }) {
      const created = await api.create({ text, name: owner.uid }, { signal });
      return { id: { id: created.id } };
    },
    async observe({ id }, { signal }) {
      const seen = await api.get(id, signal);
      return seen && { state: { text: seen.text } };
    },
    update: ({ id }, { text }, { signal }) => api.update(id, { text }, signal),
    delete: ({ id }, { signal }) => api.delete(id, signal),
    driftInterval: 5 * 60_000, // what is changed outside is put right within five minutes
  });

  return defineIntegration({
    name: 'acme-box', // its claim on a workspace is the finalizer se.quencer.io/acme-box
    condition: 'AcmeBox',
    secrets: [options.token], // kept out of conditions, events and logs
    handles: ({ spec }) => spec.integrations?.['acme-box'] !== undefined,
    connect: ({ workspace, controller }) => ({
      reconcile: () => controller.ensure(object, settingsOf(workspace)),
      terminate: () => controller.destroy(object),
    }),
  });
}
