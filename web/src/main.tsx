import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { askEarly, queryClient } from './api/queries';
import { loadTexts } from './texts';
import { firstOf, keptLanguage, type Language, languageBy, readerOf, tokenOf } from './texts/language';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/pages.css';
import './styles/recruiter.css';

/** What the reader has chosen, in this browser or in the address; else the language of a candidate's interview; else the browser's. */
async function languageOf(path: string): Promise<Language> {
  const kept = languageBy(new URLSearchParams(location.search).get('language')) ?? keptLanguage(readerOf(path));
  const token = tokenOf(path);
  if (kept) return kept;
  const candidate = token === undefined ? undefined : await askEarly(token);
  return languageBy(candidate?.language) ?? firstOf(navigator.languages);
}

async function start(root: HTMLElement) {
  const language = await languageOf(location.pathname);
  document.documentElement.lang = language;
  await loadTexts(language, navigator.languages);
  // Its parts take texts as soon as they are read.
  const { App } = await import('./app');
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
  );
}

const root = document.getElementById('root');
// Where a part does not come, what stands in the page meanwhile says so.
if (root) start(root);
