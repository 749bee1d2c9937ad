import { loadTexts } from './index';

// Tests read English, as pages do: before any other part of the code.
await loadTexts('en');
