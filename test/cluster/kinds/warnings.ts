import type { Fields } from '../objects/object.ts';
import { fieldsOf } from './checks.ts';

type Warn = (object: Fields) => readonly string[];

const service: Warn = ({ spec }) =>
  fieldsOf(spec).clusterIP === 'None' ? ['spec.SessionAffinity is ignored for headless services'] : [];

const warners: Readonly<Record<string, Warn>> = { 'core.Service': service };

/** What the server warns about in an object that it accepts, by its type. */
export const warningsOf = (type: string, object: Fields): readonly string[] => warners[type]?.(object) ?? [];
