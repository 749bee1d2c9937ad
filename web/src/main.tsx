import { createRoot } from 'react-dom/client';
import { App } from './app';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/pages.css';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
