import { proveOnRealServer } from '../fixtures/on-real-server.ts';
import { subjectWith } from '../fixtures/subject.ts';

/** Cases in which Deployments differ from pods. */
await proveOnRealServer(subjectWith({ workload: 'Deployment', restartOnConfig: true }), {
  proved: ['completes', 'once', 'follows', 'cleans', 'marks', 'crash'],
  others: 'proved with pods, and in virtual time',
  controllers: 'all',
});
