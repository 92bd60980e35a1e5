import { Workspace as WorkspaceKind } from '../../../../../sdk/index.ts';
import { type BoxId, type BoxResource, boxOf, type Wanted, wantedOf } from '../../a-box-plug-in.ts';
import { inDocument, inProjects } from '../../box-variants.ts';
import type { Flaw } from '../../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Create = BoxResource['create'];
type Context = Parameters<Create>[1];

/** State of the module, for all workspaces. */
const shared = { project: '' };

/** Flaws that show where several workspaces or objects share something. */
export const flawsOfTenants: readonly Flaw[] = [
  {
    what: 'one document is written without the version that was read',
    found: 'create',
    identity: 'tag',
    says: [
      /^where two objects are made at the same time, the third party has box 1 .*: 2 more than 1 were expected/,
      /likely mistake: what several objects share \(a document, a list, a file\) is read, changed and written whole/,
    ],
    resource: (tools) => inDocument(tools, false),
  },
  {
    what: 'the project of a creation is in a variable of the module',
    found: 'contended',
    identity: 'tag',
    says: [
      /^two workspaces that have red a of 1 in scenario, red a of 1 in scenario-elsewhere where each is alone: together, .*in scenario\), .*in scenario\)/,
      /likely mistake: something of one workspace \(its project, its tenant, its spec\) is kept in a variable of the module or of the integration/,
    ],
    resource: (tools) => inProjects(tools, () => shared.project),
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => {
        shared.project = workspace.metadata.namespace ?? '';
        return {
          reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
          terminate: () => controller.destroy(resource),
        };
      },
    }),
  },
  {
    what: 'names are cut to 63 characters',
    found: 'contended',
    subject: { sameName: 'separate' },
    says: [
      /each of which is Completed where it is alone: Completed: .* \| Error: box scenario-a-workspace.* exists/,
      /likely mistake: each workspace gets its own \(sameName: separate\)/,
    ],
    resource: (tools) => ({
      async observe(id: BoxId, { signal }: Look) {
        const box = await boxOf(tools, id, signal);
        return box && { state: { size: box.size, colour: box.colour } };
      },
    }),
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => {
        const { name, namespace } = workspace.metadata;
        return {
          reconcile: () =>
            controller.ensure(
              resource,
              wantedOf(workspace.spec).map((one) => ({
                ...one,
                name: `${namespace}-${name}-${one.name}`.slice(0, 63),
              })),
            ),
          terminate: () => controller.destroy(resource),
        };
      },
    }),
  },
  {
    what: 'the spec of the first workspace counts for all',
    found: 'contended',
    identity: 'tag',
    says: [
      /^two workspaces that have red a of 1, blue a of 2 where each is alone: together, /,
      /likely mistake: something of one workspace \(its project, its tenant, its spec\) is kept in a variable of the module or of the integration/,
    ],
    plugIn: (resource) => {
      let first: readonly Wanted[] | undefined;
      return {
        connect: ({ workspace, controller }) => ({
          async reconcile() {
            first ??= wantedOf(workspace.spec);
            return controller.ensure(resource, first);
          },
          terminate: () => controller.destroy(resource),
        }),
      };
    },
  },
  {
    what: 'the spec of the last workspace that was connected counts for all',
    found: 'contended',
    identity: 'tag',
    says: [
      /^two workspaces that have red a of 1, blue a of 2 where each is alone: together, /,
      /likely mistake: something of one workspace \(its project, its tenant, its spec\) is kept in a variable of the module or of the integration/,
    ],
    plugIn: (resource) => {
      let current: readonly Wanted[] = [];
      return {
        connect: ({ workspace, controller }) => {
          current = wantedOf(workspace.spec);
          return {
            async reconcile() {
              await controller.get(WorkspaceKind, {
                namespace: workspace.metadata.namespace!,
                name: workspace.metadata.name,
              });
              return controller.ensure(resource, current);
            },
            terminate: () => controller.destroy(resource),
          };
        },
      };
    },
  },
  {
    what: 'the name that is sent is the uid, for each box of a workspace',
    found: 'create',
    says: [
      /^create says that "a-7" of the same workspace exists already, where "a" alone was made/,
      /likely mistake: the name that is sent is the same for all objects of a workspace/,
    ],
    resource: (tools, { create }) => ({
      create: (wanted: Wanted, context: Context) => create({ ...wanted, name: context.owner.uid }, context),
      async observe(id: BoxId, { signal }: Look) {
        const box = await boxOf(tools, id, signal);
        return box && { state: { size: box.size, colour: box.colour } };
      },
    }),
    subject: { sameName: 'separate' },
  },
  {
    what: 'one promise of a creation is shared by all workspaces',
    found: 'contended',
    identity: 'tag',
    says: [
      /^two workspaces, subject and competitor, which have red a of 1, red a of 1 where each is alone: together, the third party has box 1 \(red a of 1\)/,
      /likely mistake: each workspace gets its own \(sameName: separate\)/,
    ],
    resource(_, { create }) {
      const under = new Map<string, ReturnType<Create>>();
      return {
        create: (wanted: Wanted, context: Context) => {
          const made = under.get(wanted.name) ?? create(wanted, context);
          under.set(wanted.name, made as never);
          return made;
        },
      };
    },
  },
];
