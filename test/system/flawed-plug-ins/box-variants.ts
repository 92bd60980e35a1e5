/** Resources of boxes that are in projects, and of boxes in one document. */

import { DefiniteError, ExternalAlreadyExistsError } from '../../../sdk/index.ts';
import { type BoxId, type BoxResource, listed, type Tools, type Wanted } from './a-box-plug-in.ts';
import type { Box } from './a-box-shop.ts';

type Look = { readonly signal: AbortSignal };
type Create = BoxResource['create'];
type Context = Parameters<Create>[1];
type Entry = Partial<Box>;
type Version = { readonly version?: string };

/** Functions of a resource whose boxes are in a project. */
export function inProjects(tools: Tools, projectOf: (owner: Context['owner']) => string): object {
  type PId = BoxId & { readonly project: string };
  const { ask } = tools;
  return {
    find: async (owner: Context['owner'], { signal }: Look) => {
      const [box] = await listed(tools, `label=${encodeURIComponent(owner.mark)}`, signal);
      return box && { id: box.id, project: box.project };
    },
    async create(wanted: Wanted, { owner, signal }: Context) {
      await ask('/boxes?page=0', { signal });
      const project = projectOf(owner);
      const answer = await ask(`/projects/${project}/boxes`, {
        method: 'POST',
        body: { ...wanted, label: owner.mark },
        signal,
        expected: 409,
      });
      if (answer.status === 409) throw new ExternalAlreadyExistsError('taken');
      return { id: { id: ((await answer.json()) as Box).id, project } };
    },
    async observe({ id, project }: PId, { signal }: Look) {
      const answer = await ask(`/projects/${project}/boxes/${id}`, { signal, expected: 404 });
      if (answer.status === 404) return undefined;
      const { id: found, name, size, colour } = (await answer.json()) as Partial<Box>;
      if (found !== id || name === undefined || size === undefined || colour === undefined)
        throw new Error('no box in the answer');
      return { state: { name, size, colour } };
    },
    async update({ id, project }: PId, { size, colour }: Wanted, { signal }: Look) {
      await ask(`/projects/${project}/boxes/${id}`, { method: 'PATCH', body: { size, colour }, signal });
    },
    async replaceMark({ id, project }: PId, { owner, signal }: Context) {
      await ask(`/projects/${project}/boxes/${id}`, { method: 'PATCH', body: { label: owner.mark }, signal });
    },
    async delete({ id, project }: PId, { signal }: Look) {
      await ask(`/projects/${project}/boxes/${id}`, { method: 'DELETE', signal, expected: 404 });
    },
  };
}

/** Functions of a resource whose boxes are entries of one document. */
export function inDocument({ ask }: Tools, versioned: boolean): object {
  const read = async (signal: AbortSignal) =>
    (await (await ask('/document', { signal })).json()) as { boxes: readonly Box[]; version: string };
  const write = async (boxes: readonly Entry[], { version }: Version, signal: AbortSignal) => {
    const how = versioned && version ? { version } : {};
    return (await (await ask('/document', { method: 'PUT', body: { boxes }, signal, ...how })).json()) as {
      boxes: readonly Box[];
    };
  };
  return {
    async find({ mark }: { mark: string }, { signal }: Look) {
      const { boxes } = await read(signal);
      if (!Array.isArray(boxes)) throw new Error('no document');
      const box = (boxes as readonly Box[]).find(({ label }) => label === mark);
      return box && { id: box.id };
    },
    async create(wanted: Wanted, { owner, signal }: Context) {
      const { boxes, version } = await read(signal);
      const after = await write([...boxes, { ...wanted, label: owner.mark }], { version }, signal);
      return { id: { id: after.boxes.find(({ label }) => label === owner.mark)!.id } };
    },
    async observe({ id }: BoxId, { signal }: Look) {
      const { boxes } = await read(signal);
      if (!Array.isArray(boxes)) throw new Error('no document');
      const box = (boxes as readonly Box[]).find((one) => one.id === id);
      return box && { state: { name: box.name, size: box.size, colour: box.colour } };
    },
    async update({ id }: BoxId, { size, colour }: Wanted, { signal }: Look) {
      const { boxes, version } = await read(signal);
      if (!boxes.some((one) => one.id === id)) throw new DefiniteError('gone');
      await write(
        boxes.map((one) => (one.id === id ? { ...one, size, colour } : one)),
        { version },
        signal,
      );
    },
    async replaceMark({ id }: BoxId, { owner, signal }: Context) {
      const { boxes, version } = await read(signal);
      if (!boxes.some((one) => one.id === id)) throw new DefiniteError('gone');
      await write(
        boxes.map((one) => (one.id === id ? { ...one, label: owner.mark } : one)),
        { version },
        signal,
      );
    },
    async delete({ id }: BoxId, { signal }: Look) {
      const { boxes, version } = await read(signal);
      await write(
        boxes.filter((one) => one.id !== id),
        { version },
        signal,
      );
    },
  };
}
