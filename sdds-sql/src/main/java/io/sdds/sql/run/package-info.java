/**
 * What runs: scans and their rows, writes and how many are under way, deadlines. Code that the engine generates calls
 * it.
 */
@NullMarked
package io.sdds.sql.run;

import org.jspecify.annotations.NullMarked;
