/** Joins: their forms, hints and order, the rules that choose them, and what runs them. */
@NullMarked
package io.sdds.sql.join;

import org.jspecify.annotations.NullMarked;
