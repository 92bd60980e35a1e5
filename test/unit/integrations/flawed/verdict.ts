import { messageOf } from '../../../../sdk/index.ts';
import { type Subject, testIntegration } from '../../../compliance/index.ts';

/** Runs the kit and returns the messages of failed tests, by title. @param only a title: nothing else is run */
export async function verdictOf(subject: Subject, only?: string): Promise<Readonly<Record<string, string>>> {
  const tests: { readonly title: string; readonly run: (context?: unknown) => Promise<void> }[] = [];
  testIntegration((title, run) => tests.push({ title, run }), subject);
  const failed: Record<string, string> = {};
  for (const { title, run } of tests.filter((one) => only === undefined || one.title === only))
    await run().catch((error: unknown) => {
      failed[title] = messageOf(error);
    });
  return failed;
}
