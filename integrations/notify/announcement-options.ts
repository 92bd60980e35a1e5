/** Options of the integrations that send messages, and their validation. */

import { DefiniteError, messageOf, type Workspace } from '../../sdk/index.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import type { AnnouncedEnvironment, AnnouncedEvent, AnnouncementSetup } from './announcements.ts';
import {
  type CheckedNotifyOptions,
  checkedNotifyOptions,
  type NotifyOptions,
  notifyOptionNames,
} from './common-options.ts';

/** Function that returns the message about an event of an environment. */
export type AnnouncementMessage<Message> = (environment: AnnouncedEnvironment, event: AnnouncedEvent) => Message;

/** Options of all integrations that send messages. */
export interface AnnouncementOptions<Message> extends NotifyOptions {
  /** Condition: words that begin with `Announced`. */
  readonly condition?: string;
  /** Returns the message about an event. @default one with the names and the host of the workspace */
  readonly message?: AnnouncementMessage<Message>;
  /** Returns the part of a workspace whose changes are announced, as JSON: a message is sent when it differs from the last announced one. @default changes are not reported */
  readonly changes?: (workspace: Workspace) => unknown;
}

/** Options with their defaults. */
export interface CheckedAnnouncementOptions<Message> extends CheckedNotifyOptions {
  /** @throws DefiniteError for what the operator's function throws, since nothing was sent then */
  readonly message: AnnouncementMessage<Message>;
  readonly changes: AnnouncementSetup['changes'];
}

/** Names of the options in {@link AnnouncementOptions}. */
export const announcementOptionNames = [...notifyOptionNames, 'message', 'changes'] as const;

/** Default of the options that depend on the integration. */
interface AnnouncementDefaults<Message> {
  readonly condition: string;
  readonly message: AnnouncementMessage<Message>;
}

/** Validates the common options and sets the defaults. @throws TypeError naming the first invalid option */
export function checkedAnnouncementOptions<Message>(
  integration: string,
  options: AnnouncementOptions<Message>,
  usual: AnnouncementDefaults<Message>,
): CheckedAnnouncementOptions<Message> {
  const { refuse }: OptionChecks = optionChecks(integration);
  const { message = usual.message, changes = () => null } = options;
  if (typeof message !== 'function') refuse('message', 'a function (environment, event) => message');
  if (typeof changes !== 'function') refuse('changes', 'a function (workspace) => JSON');
  const common = checkedNotifyOptions(integration, options, { begins: 'Announced', usual: usual.condition });
  return {
    ...common,
    changes,
    message(environment, event) {
      try {
        return message(environment, event);
      } catch (error) {
        throw new DefiniteError(`option message of ${integration} throws: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}
