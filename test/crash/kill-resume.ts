import { runCampaign } from './campaign.ts'

// sh scripts/node.sh test/crash/kill-resume.ts [kills] [seed]
// Kills the built program (npm run build) this many times while it works, and checks that nothing it had acknowledged
// is lost, nothing it had done is done again, and every turn comes to its end.

const [kills = '1000', seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2)
const { problems, seconds, ...counts } = await runCampaign({ kills: Number(kills), seed: Number(seed) })

for (const problem of problems) console.error(problem)
const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
console.log(`${parts.join(', ')}, seconds ${seconds.toFixed(0)}, seed ${seed}`)
process.exitCode = problems.length > 0 ? 1 : 0
