/** Statements that the database at the client evaluates: what bricks ship for each table, the text, the run. */
@NullMarked
package io.sdds.sql.local;

import org.jspecify.annotations.NullMarked;
