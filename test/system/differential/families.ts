import type { Family } from './runner/scenario.ts';

/** Families of scenarios by name. */
export const families: Readonly<Record<string, () => Promise<Family>>> = {
  kinds: async () => (await import('./kinds.ts')).kinds,
  machinery: async () => (await import('./machinery.ts')).machinery,
  definitions: async () => (await import('./machinery.ts')).definitions,
  webhooks: async () => (await import('./webhooks.ts')).webhooks,
  conversions: async () => (await import('./conversions.ts')).conversions,
  schemas: async () => (await import('./schemas.ts')).schemas,
  auth: async () => (await import('./auth.ts')).auth,
  expressions: async () => (await import('./expressions.ts')).expressions,
  pages: async () => (await import('./pages.ts')).pages,
  controllers: async () => (await import('./machinery/controllers/controllers.ts')).controllers,
};
