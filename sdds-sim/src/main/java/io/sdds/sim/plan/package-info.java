/** A seed draws these plans before a run: scenarios, and plans of clusters, tables, workloads and faults. */
@NullMarked
package io.sdds.sim.plan;

import org.jspecify.annotations.NullMarked;
