import { caseNames } from '../../../../compliance/subject/case-names.ts';
import { long, proveOnRealServer } from '../fixtures/on-real-server.ts';
import { subject } from '../fixtures/subject.ts';

await proveOnRealServer(subject, {
  proved: caseNames.filter((name) => !long.includes(name)),
  others: 'proved in a file of its own',
});
