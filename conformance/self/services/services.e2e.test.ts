import { NAMES, testServices } from './services.suite.ts';

// Few cases each: whatever a service does otherwise than others, each requirement meets it. More seeds: run.ts.
testServices(NAMES, 1, 1, 'core');
testServices(NAMES.slice(0, 3), 1, 1, 'extended');
