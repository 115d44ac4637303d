import { describe, expect, it } from 'vitest'
import { projectInstructions } from '../../prompts/sections/project-instructions.ts'
import { skillList } from '../../prompts/sections/skills.ts'
import { systemPrompt } from '../../prompts/system-prompt.ts'
import { skillTool } from '../../tools/skill.ts'
import type { ToolContext } from '../../tools/tool.ts'
import type { ProjectFile } from '../trust/project-files.ts'
import { readFrontMatter } from './front-matter.ts'
import { projectContext } from './project-context.ts'

const file = (kind: ProjectFile['kind'], path: string, text: string): ProjectFile => ({
  kind,
  path,
  bytes: Buffer.from(text),
})

const skill = (name: string, description: string, body = 'Do it.'): ProjectFile =>
  file(
    'skill',
    `.agents/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`,
  )

describe('front matter', () => {
  it('has plain, quoted and folded values', () => {
    const text = '---\nname: "a: b"\nother: \'c\'\ndescription: >-\n  two\n  lines\nempty:\n---\n\n# Body\n'
    const { fields, body } = readFrontMatter(text)
    expect(Object.fromEntries(fields)).toEqual({
      name: 'a: b',
      other: 'c',
      description: 'two lines',
      empty: '',
    })
    expect(body).toBe('# Body')
  })

  it('is not there without both of its lines', () => {
    expect(readFrontMatter('name: a\n').fields.size).toBe(0)
    expect(readFrontMatter('---\nname: a\n').fields.size).toBe(0)
    expect(readFrontMatter('\ufeff---\r\nname: a\r\n---\r\nb').fields.get('name')).toBe('a')
  })
})

describe('what a project tells its agents', () => {
  it('is in the prompt: instructions whole, skills by name and one line', () => {
    const project = projectContext([
      file('settings', 'conclave.yaml', 'agents: []'),
      file('instructions', '../AGENTS.md', 'Top rules.\n'),
      file('instructions', 'AGENTS.md', 'Own rules.\n'),
      skill('deploy', 'puts it online'),
    ])
    const prompt = systemPrompt({ mode: 'Act', folder: '/p', platform: 'linux', project })
    expect(prompt).toContain('<instructions file="../AGENTS.md">\nTop rules.\n</instructions>')
    expect(prompt.indexOf('Top rules')).toBeLessThan(prompt.indexOf('Own rules'))
    expect(prompt).toContain('- deploy: puts it online')
    expect(prompt).not.toContain('Do it.')
    expect(prompt).not.toContain('agents: []')
  })

  it('is nothing for a project that says nothing', () => {
    expect(projectInstructions([])).toBe('')
    expect(skillList([])).toBe('')
    expect(projectContext([file('instructions', 'AGENTS.md', ' \n')]).instructions).toEqual([])
  })

  it('is cut when it is too long, the nearest instructions last', () => {
    const { instructions } = projectContext([
      file('instructions', '../AGENTS.md', 'far '.repeat(20_000)),
      file('instructions', 'AGENTS.md', 'near '.repeat(2_000)),
    ])
    expect(instructions[1]?.text).toHaveLength(9_999)
    expect(instructions[0]?.text).toMatch(/far \n\[cut: \.\.\/AGENTS\.md is too long\]$|\[cut: /)
    expect(instructions[0]?.text.length).toBeLessThan(39_000)
  })

  it('leaves out skills without a usable name or description, and flattens descriptions', () => {
    const { skills } = projectContext([
      skill('good', 'one\u001b[31m\u202e line'),
      skill('good', 'again'),
      skill('../bad', 'x'),
      skill('empty', ''),
      file('skill', 'none/SKILL.md', 'no front matter'),
    ])
    expect(skills.map(({ name, description }) => `${name}: ${description}`)).toEqual(['good: one [31m line'])
  })
})

describe('the skill tool', () => {
  const { skills } = projectContext([skill('deploy', 'puts it online', 'Run make deploy.')])
  const run = (name: string) =>
    skillTool(async () => skills).run({ name }, { files: { root: '/p' } } as unknown as ToolContext)

  it('loads a skill and says where its files are', async () => {
    expect(await run('deploy')).toEqual({
      success: true,
      output: '(files it names are in .agents/skills/deploy)\nRun make deploy.',
    })
  })

  it('says which there are when there is none of that name', async () => {
    expect(await run('../../etc')).toEqual({
      success: false,
      output: 'there is no skill ../../etc; known: deploy',
    })
    expect(skillTool(async () => []).read_only).toBe(true)
  })
})
