import { answerScenarios } from './conversions/answers.ts';
import { conversionLives } from './conversions/lives.ts';
import { conversionReads } from './conversions/watches.ts';
import type { Family } from './runner/scenario.ts';

/** Custom resources that webhooks convert between versions. */
export const conversions: Family = {
  hooks: true,
  ignored: ['resourceVersion'],
  countedApart: true,
  masks: [
    [/resource version: \d+, current: \d+/g, 'resource version'],
    [/Post \\?"https:\/\/[^"\\]+\\?"/g, 'Post <hook>'],
  ],
  fixed: () => [...conversionLives, ...conversionReads, ...answerScenarios],
};
