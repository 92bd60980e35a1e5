import { long, proveOnRealServer } from './on-real-server.ts';
import { subject } from './subject.ts';

await proveOnRealServer(subject, { proved: long, others: 'proved in a file of its own' });
