/** Plans: the operators of this driver, and the rules that fold operators of the engine into scans. */
@NullMarked
package io.sdds.sql.plan;

import org.jspecify.annotations.NullMarked;
