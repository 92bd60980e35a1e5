import { long, proveOnRealServer } from '../fixtures/on-real-server.ts';
import { subject } from '../fixtures/subject.ts';

await proveOnRealServer(subject, { proved: long, others: 'proved in a file of its own' });
