/** Requests to bricks: expressions of SQL as texts of the language of bricks, scans, look-ups by key, changes. */
@NullMarked
package io.sdds.sql.shipped;

import org.jspecify.annotations.NullMarked;
