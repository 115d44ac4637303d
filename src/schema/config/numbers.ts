import { z } from 'zod'

export const positive = z.number().positive()
export const count = z.number().int().positive()
export const seconds = positive
