/**
 * Plans: the operators of this driver, the rules that fold operators of the engine into scans, what plans cost, and
 * what is rewritten before.
 */
@NullMarked
package io.sdds.sql.plan;

import org.jspecify.annotations.NullMarked;
