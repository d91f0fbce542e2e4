import { testServices } from './services.suite.ts';

// The others, the other settings and more seeds are in the e2e test.
testServices(['503 with Retry-After in 1 of 300 responses', 'ids 0, 1, 2, …'], 1, 1, 'core');
