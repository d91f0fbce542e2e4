import { NAMES, testServices } from './services.suite.ts';

// Few cases each, on many seeds: whatever a service does otherwise than others, each requirement meets it.
testServices(NAMES, 20, 2, 'core');
testServices(NAMES, 4, 2, 'extended');
