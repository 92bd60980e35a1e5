/** Table of OpenAPI operations by verb. */

import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo, SubresourceInfo, Verb } from '../apimachinery/resource-info.ts';
import { oneOf } from './operation-names.ts';
import { logQuery, queries } from './parameters.ts';
import type { UpstreamTexts } from './upstream-descriptions.ts';

/** Resource or subresource that operations act on. */
export interface Subject {
  readonly info: ResourceInfo;
  readonly subresource?: SubresourceInfo;
  /** Component names of the object and its list. */
  readonly object: string;
  readonly list: string;
  readonly texts: UpstreamTexts;
}

/** Operation, independent of its subject. */
export interface Operation {
  readonly method: string;
  readonly action: string;
  /** Prefix of its id. */
  readonly word: string;
  readonly says: (subject: Subject) => string;
  readonly asks: (subject: Subject) => readonly Fields[];
  readonly sends?: 'object' | 'patch' | 'options';
  readonly answers: 'object' | 'list' | 'status' | 'deleted' | 'event' | 'text';
  /** Success codes besides 200. */
  readonly codes: readonly (201 | 202)[];
}

/** Reports whether a subject is a custom resource. */
export const isCustom = ({ info }: Subject): boolean => info.custom !== undefined;
const partOf = ({ subresource, info }: Subject): string =>
  `${subresource === undefined ? '' : `${subresource.name} of `}the specified ${info.kind}`;
const written = () => queries.write;

const deprecated = "deprecated: use the 'watch' parameter with a list operation instead";

/** Operations by verb. */
export const operations: Readonly<Record<Verb, Operation>> = {
  get: {
    method: 'get',
    action: 'get',
    word: 'read',
    says: (subject) => `read ${partOf(subject)}`,
    asks: (subject) => {
      if (subject.subresource?.name === 'log') return logQuery;
      return isCustom(subject) ? queries.version : queries.none;
    },
    answers: 'object',
    codes: [],
  },
  update: {
    method: 'put',
    action: 'put',
    word: 'replace',
    says: (subject) => `replace ${partOf(subject)}`,
    asks: written,
    sends: 'object',
    answers: 'object',
    codes: [201],
  },
  patch: {
    method: 'patch',
    action: 'patch',
    word: 'patch',
    says: (subject) => `partially update ${partOf(subject)}`,
    asks: () => queries.patch,
    sends: 'patch',
    answers: 'object',
    codes: [201],
  },
  delete: {
    method: 'delete',
    action: 'delete',
    word: 'delete',
    says: ({ info }) => `delete ${oneOf(info.kind)}`,
    asks: () => queries.delete,
    sends: 'options',
    answers: 'deleted',
    codes: [202],
  },
  list: {
    method: 'get',
    action: 'list',
    word: 'list',
    says: ({ info }) =>
      `list ${info.custom === undefined && info.verbs.includes('watch') ? 'or watch ' : ''}objects of kind ${info.kind}`,
    asks: () => queries.list,
    answers: 'list',
    codes: [],
  },
  create: {
    method: 'post',
    action: 'post',
    word: 'create',
    says: ({ info, subresource }) => `create ${subresource ? `${subresource.name} of ` : ''}${oneOf(info.kind)}`,
    asks: written,
    sends: 'object',
    answers: 'object',
    codes: [201, 202],
  },
  deletecollection: {
    method: 'delete',
    action: 'deletecollection',
    word: 'deleteCollection',
    says: ({ info }) => `delete collection of ${info.kind}`,
    asks: (subject) => (isCustom(subject) ? queries.list : queries.deleteMany),
    sends: 'options',
    answers: 'status',
    codes: [],
  },
  watch: {
    method: 'get',
    action: 'watch',
    word: 'watch',
    says: ({ info }) =>
      `watch changes to an object of kind ${info.kind}. ${deprecated}, filtered to a single item with the 'fieldSelector' parameter.`,
    asks: () => queries.list,
    answers: 'event',
    codes: [],
  },
};

/** Watch of a collection by the deprecated path. */
export const watchList: Operation = {
  ...operations.watch,
  action: 'watchlist',
  says: ({ info }) => `watch individual changes to a list of ${info.kind}. ${deprecated}.`,
};
