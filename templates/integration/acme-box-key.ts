/** Integration: one object at Acme Box for each workspace that requests it, created under an idempotency key that the third party remembers for a day. */

import { defineIntegration, externalResource, type Integration } from 'workspace-sequencer/sdk';
import * as z from 'zod';
import { type AcmeBoxApiOptions, createAcmeBoxApi } from './acme-box-api.ts';

/** Settings in a workspace, `spec.integrations.acme-box`: a mistake in them is reported in the condition, by field. */
const settings = z.strictObject({
  text: z.string().min(1).max(1_000),
});

/** Manages one object for each workspace that requests it. */
export function acmeBox(options: AcmeBoxApiOptions): Integration {
  const api = createAcmeBoxApi(options);

  const object = externalResource<z.output<typeof settings>, { id: string }>({
    label: 'acme box',
    identity: 'key', // the same key twice is one object: the third party remembers keys
    validForMs: 24 * 60 * 60_000,
    async create({ text }, { key, signal }) {
      const created = await api.create({ text }, { signal, key });
      return { id: { id: created.id } };
    },
    async observe({ id }, { signal }) {
      const seen = await api.get(id, signal);
      return seen && { state: { text: seen.text } };
    },
    update: ({ id }, { text }, { signal }) => api.update(id, { text }, signal),
    delete: ({ id }, { signal }) => api.delete(id, signal),
    driftInterval: 5 * 60_000, // what is changed outside is corrected within five minutes
  });

  return defineIntegration({
    name: 'acme-box', // its claim on a workspace is the finalizer se.quencer.io/acme-box
    condition: 'AcmeBox',
    settings,
    secrets: [options.token], // kept out of conditions, events and logs
    handles: ({ spec }) => spec.integrations?.['acme-box'] !== undefined,
    connect: ({ controller }) => ({
      reconcile: (wanted) => controller.ensure(object, wanted),
      terminate: () => controller.destroy(object),
    }),
  });
}
