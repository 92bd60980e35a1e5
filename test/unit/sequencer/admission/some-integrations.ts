/** Integrations whose workspaces can be wrong in every way. */

import * as z from 'zod';
import { defineIntegration, type Integration, outputReferences } from '../../../../sdk/index.ts';

const of = (name: string, condition: string, more: Partial<Integration> = {}): Integration =>
  defineIntegration({
    name,
    condition,
    handles: ({ spec }) => spec.integrations?.[name] !== undefined,
    references: ({ spec }) => outputReferences(spec.integrations?.[name]),
    connect: ({ controller }) => ({
      reconcile: () => controller.updateCondition('Completed', 'said'),
      terminate: async () => {},
    }),
    ...more,
  });

/** A database with an output, mail with settings, two queues for one condition, and one whose `handles` fails where it is asked to. */
export const someIntegrations: readonly Integration[] = [
  of('database', 'Database', { outputs: { url: { description: 'address of the database' } } }),
  of('mail', 'Mail', { settings: z.strictObject({ from: z.string(), to: z.array(z.string()).optional() }) }),
  of('queue', 'Queue', { outputs: { url: { description: 'address of the queue' } } }),
  of('rabbit', 'Queue'),
  of('broken', 'Broken', {
    handles: ({ spec }) => {
      if (spec.integrations?.broken !== undefined) throw new Error('a bug');
      return false;
    },
  }),
];
