/** Integration: one object at Acme Box for each workspace that requests it, found again by its tag, the mark of its owner. */

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
    identity: 'tag', // creating twice makes two, but each bears the mark of its owner and can be searched by it
    async find({ mark }, { signal }) {
      const found = await api.find('tag', mark, signal);
      return found && { id: found.id };
    },
    async create({ text }, { owner, signal }) {
      const created = await api.create({ text, tag: owner.mark }, { signal });
      return { id: { id: created.id } };
    },
    async observe({ id }, { signal }) {
      const seen = await api.get(id, signal);
      return seen && { state: { text: seen.text }, mark: seen.tag ?? '' };
    },
    update: ({ id }, { text }, { signal }) => api.update(id, { text }, signal),
    replaceMark: ({ id }, { owner, signal }) => api.update(id, { tag: owner.mark }, signal),
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
