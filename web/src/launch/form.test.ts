import { describe, expect, it } from 'vitest';
import { checkForm, errorsOf, mended } from './form';

const good = {
  name: 'Ilse Varga',
  role: 'Backend engineer',
  level: 'senior',
  blueprint: 'two-stage',
  resume: '',
  job_description: '',
  guide: '',
};

const TOO_LONG = 'characters; 20,000 are the most. Leave out what the questions do not need.';

/** U02: every missing or absurd field has a sentence that says how to mend it. */
describe('the launch form', () => {
  it('accepts what is complete', () => {
    expect(checkForm(good)).toEqual({});
    expect(checkForm({ ...good, name: '李雷' })).toEqual({});
  });

  it.each([
    [{ name: '' }, 'name', 'Type the candidate’s name.'],
    [{ name: '   ' }, 'name', 'Type the candidate’s name.'],
    [{ name: '?!' }, 'name', 'This has no letter in it. Type the candidate’s name.'],
    [{ name: 'x'.repeat(81) }, 'name', 'This has 81 characters; 80 are the most. Shorten it.'],
    [{ role: '' }, 'role', 'Type the role.'],
    [{ level: '' }, 'level', 'Choose a level.'],
    [{ resume: 'x'.repeat(20_001) }, 'resume', `The résumé has 20,001 ${TOO_LONG}`],
    [{ job_description: 'x'.repeat(20_001) }, 'job_description', `The job description has 20,001 ${TOO_LONG}`],
    [{ blueprint: '' }, 'blueprint', 'Choose a blueprint.'],
    [
      { guide: 'x'.repeat(20_001) },
      'guide',
      'The guide has 20,001 characters; 20,000 are the most. Leave out what matters least.',
    ],
  ])('%o', (change, field, sentence) => {
    expect(checkForm({ ...good, ...change })).toEqual({ [field]: sentence });
  });

  it('counts characters, not UTF-16 units', () => {
    expect(checkForm({ ...good, name: `${'😀'.repeat(79)}a` })).toEqual({});
  });

  it('takes the server’s errors by field and passes over fields it does not have', () => {
    const fields = [
      { field: 'role', message: 'Type the role.' },
      { field: 'shoe_size', message: 'Too large.' },
    ];
    expect(errorsOf(fields)).toEqual({ role: 'Type the role.' });
  });

  it('forgets what was mended in the plan, and says nothing new before it is launched again', () => {
    const errors = { name: 'Type it.', documents: 'No words.', questions: 'Empty.' };
    const found = { questions: 'Too long.', topics: 'Empty.' };
    const left = { name: 'Type it.', documents: 'No words.', questions: 'Too long.' };
    expect(mended(errors, found, ['questions', 'topics'])).toEqual(left);
    expect(mended(errors, found, ['documents'])).toEqual({ name: 'Type it.', questions: 'Empty.' });
  });
});
