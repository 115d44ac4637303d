/** A plan as agents write it and people review it. Spelled as it is stored and shown to models. */
export interface Plan {
  goal: string
  steps: PlanStep[]
  estimated_total_time?: string
  risks: string[]
  prerequisites: string[]
}

export interface PlanStep {
  step_number: number
  action: string
  reason: string
  tools_needed: string[]
  estimated_time?: string
  /** Files and folders the step changes. When any step names some, a change elsewhere is a step away from the plan. */
  files?: string[]
}

/** One difference between two revisions. */
export interface PlanChange {
  kind: 'added' | 'removed' | 'changed'
  /** Step number in the newer plan, or in the older one when the step is gone; absent for the plan as a whole. */
  step_number?: number
  text: string
}

export type StepStatus = 'pending' | 'running' | 'done' | 'skipped' | 'failed'

/** What a person decided about one step when approving the plan. */
export interface StepReview {
  step_number: number
  decision: 'approve' | 'skip'
  /** Replaces the step's action. */
  edit?: string
  comment?: string
}

/** A plan a person told an agent to carry out: these words and no others. */
export interface ApprovedPlan {
  plan_id: string
  revision: number
  plan: Plan
  additions?: string
  reviews: StepReview[]
  /** Where the plan is kept, relative to the folder. */
  directory: string
}
