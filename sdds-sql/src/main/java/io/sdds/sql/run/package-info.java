/**
 * Statements at run time: scans and their rows, writes and how many are under way, deadlines. Code that the engine
 * generates calls the classes whose comments say so.
 */
@NullMarked
package io.sdds.sql.run;

import org.jspecify.annotations.NullMarked;
