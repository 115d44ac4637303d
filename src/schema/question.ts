export type Severity = 'critical' | 'major' | 'minor'

export interface QuestionOption {
  label: string
  value: string
  description?: string
}

/** What an agent asks a person, with answers to choose from; a person may always answer in other words. */
export interface Question {
  question: string
  context?: string
  severity: Severity
  options: QuestionOption[]
  default?: string
}
